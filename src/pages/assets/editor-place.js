/** Whoever saves goes on where they were. */
import { form } from "./editor-rows.js";
import { meta } from "./service.js";

const KEPT = "svc-place";

form.addEventListener("submit", () => {
  const at = form.contains(document.activeElement) ? document.activeElement : null;
  sessionStorage.setItem(KEPT, JSON.stringify({ id: at?.id, top: scrollY }));
});

const kept = sessionStorage.getItem(KEPT);
sessionStorage.removeItem(KEPT);
if (kept && meta("saved")) {
  const { id, top } = JSON.parse(kept);
  const save = form.querySelector(".bar button:not([name])");
  (document.getElementById(id) ?? save)?.focus({ preventScroll: true });
  scrollTo({ top, behavior: "instant" });
}
