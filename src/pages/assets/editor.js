/** The scripts of the editor, one module for each function. Everything works without them, too. Here: Ctrl+S or ⌘S saves. */
import "./editor-check.js";
import "./editor-drafts.js";
import "./editor-look-up.js";
import "./editor-place.js";
import "./editor-subtype.js";
import { form } from "./editor-rows.js";

addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
  const save = form.querySelector(".bar button:not([name])");
  if (!save) return;
  event.preventDefault();
  form.requestSubmit(save);
});
