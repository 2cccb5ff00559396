/** Whoever saves goes on where they were. */
import { form } from "./editor-rows.js";
import { meta } from "./service.js";

const KEPT = "svc-place";

form.addEventListener("submit", () => {
  const at = form.contains(document.activeElement) ? document.activeElement : null;
  sessionStorage.setItem(KEPT, JSON.stringify({ id: at?.id, caret: at?.selectionEnd, top: scrollY }));
});

const kept = sessionStorage.getItem(KEPT);
sessionStorage.removeItem(KEPT);
if (kept && meta("saved")) {
  const { id, caret, top } = JSON.parse(kept);
  const at = document.getElementById(id) ?? form.querySelector(".bar button:not([name])");
  at?.focus({ preventScroll: true });
  if (typeof caret === "number") at?.setSelectionRange?.(caret, caret);
  scrollTo({ top, behavior: "instant" });
}
