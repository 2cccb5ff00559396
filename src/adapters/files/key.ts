/** What may be the key of a file, in whatever place it is kept (`Files` in services.ts). */
const KEY = /^(?=.{1,500}$)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

export const isKey = (key: string): boolean => KEY.test(key);

/** Throws anything else back. */
export function demandKey(key: string): string {
  if (!isKey(key)) throw new Error(`${JSON.stringify(key.slice(0, 100))} is not the key of a file`);
  return key;
}
