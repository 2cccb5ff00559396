/** After saving, returns to the same place in the form. */
import { form } from "./editor-rows.js";
import { meta } from "./service.js";

const KEPT = "svc-place";

form.addEventListener("submit", ({ submitter }) => {
  const at = form.contains(document.activeElement) ? document.activeElement : null;
  // a note at the top says what visitors cannot see yet
  const top = submitter?.name === "publish" ? 0 : scrollY;
  sessionStorage.setItem(KEPT, JSON.stringify({ id: at?.id, caret: at?.selectionEnd, top }));
});

const kept = sessionStorage.getItem(KEPT);
sessionStorage.removeItem(KEPT);
if (kept && meta("saved")) {
  const { id, caret, top } = JSON.parse(kept);
  const at = document.getElementById(id) ?? form.querySelector(".bar button:not([name])");
  at?.focus({ preventScroll: true });
  if (typeof caret === "number") at?.setSelectionRange?.(caret, caret);
  // shows the message where the reader is
  if (top > 0) form.querySelector(".bar .crumbs").append(document.querySelector("main > .note.success"));
  scrollTo({ top, behavior: "instant" });
}
