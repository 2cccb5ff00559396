/** The syntax of keys of files, which is the same for disks and buckets (`Files` in services.ts). */
const KEY = /^(?=.{1,500}$)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

export const isKey = (key: string): boolean => KEY.test(key);

/** Returns the key, or throws if it is not one. */
export function demandKey(key: string): string {
  if (!isKey(key)) throw new Error(`${JSON.stringify(key.slice(0, 100))} is not the key of a file`);
  return key;
}
