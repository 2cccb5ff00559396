/** Reloads the fields after a change of subtype, which shows other fields first. */
import { again, form } from "./editor-rows.js";

form.addEventListener("change", ({ target }) => {
  if (target.name === form.dataset.subtype) again("more", "subtype").catch(() => {});
});
