/** A museum with an administrator (not a superuser) in a browser, and the API to check what was saved; closed by itself. */
import { museumHere } from "./museum.ts";
import { staffBrowser } from "./staff-browser.ts";

export async function staffMuseumHere(env: Record<string, string> = {}) {
  const museum = await museumHere({ env });
  return { museum, curator: await staffBrowser(museum, "admin"), api: await museum.as("admin") };
}
