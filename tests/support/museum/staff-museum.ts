/** A museum with an administrator (not a superuser) in a browser, and the API to check what was saved. */
import { openMuseum, quickest } from "./museum.ts";
import { staffBrowser } from "./staff-browser.ts";

export async function openStaffMuseum(env: Record<string, string> = {}) {
  const museum = await openMuseum({ database: quickest, env });
  return { museum, curator: await staffBrowser(museum, "admin"), api: await museum.as("admin") };
}
