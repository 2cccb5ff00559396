/** Chooses native code for passwords if it can be loaded, which is ten times as fast and does not block; else JavaScript. */
import type { Passwords } from "../../services.ts";

/** @param warn is called with the reason if native code cannot be loaded */
export async function availablePasswords(
  warn: (sentence: string) => void,
  native: () => Promise<{ nativePasswords(): Passwords }> = () => import("./native.ts"),
): Promise<Passwords> {
  try {
    return (await native()).nativePasswords();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    warn(
      `passwords are hashed in JavaScript, which takes longer: the native code cannot be loaded (${reason})`,
    );
    const { portablePasswords } = await import("./portable.ts");
    return portablePasswords();
  }
}
