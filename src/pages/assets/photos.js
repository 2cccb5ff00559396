/**
 * Photographs for many objects: shows which file belongs where, and sends them one by one. After an interruption, choosing the same
 * files again continues, because the service knows which ones it has.
 */
import { ask, asked, filesIn, sumOf } from "./photos-service.js";
import { counted, filled, numbered, sizeOf } from "./photos-words.js";
import { make } from "./service.js";

const form = document.querySelector("[data-photos]");
const list = document.querySelector("[data-photo-list]");
const words = JSON.parse(form.dataset.words);
const [body] = list.querySelector("table").tBodies;
const told = list.querySelector("output");
const progress = list.querySelector("progress");
const [startButton, stopButton, retryButton, only] = ["start", "stop", "retry", "only"].map((name) =>
  list.querySelector(`[data-${name}]`),
);

/** Files that operating systems leave in folders; `import-media` ignores them, too. */
const LITTER = /(^|\/)(\.|thumbs\.db$|desktop\.ini$|__macosx\/)/i;
/** The number of files in one question to the service. */
const SOME = 50;
const THERE = ["stored", "duplicate"];
const FAULTY = ["ambiguous", "unmatched", "refused"];

const rows = [];
/** Stops the current upload. */
let stopper = null;
let isChecking = false;

const stemOf = (path) => path.replace(/\.[^./]*$/, "");
const names = new Intl.Collator("en", { numeric: true });
const inOrder = (one, other) =>
  (one.position ?? Number.MAX_SAFE_INTEGER) - (other.position ?? Number.MAX_SAFE_INTEGER) ||
  names.compare(stemOf(one.path), stemOf(other.path)) ||
  names.compare(one.path, other.path);

const those = (...states) => rows.filter(({ state }) => states.includes(state));

/* the table */
const pictures = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    pictures.unobserve(target);
    createImageBitmap(target.file, { resizeHeight: 96, resizeQuality: "medium" }).then(
      (picture) => {
        Object.assign(target, { width: picture.width, height: picture.height });
        target.getContext("2d").drawImage(picture, 0, 0);
      },
      // not a picture, or one that only the service can read
      () => target.replaceWith(make("small", {}, /[^.]*$/.exec(target.file.name)[0].slice(0, 4))),
    );
  }
});

const addRow = (file, path) => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const folder = path.slice(0, -name.length - 1);
  const picture = make("canvas", { file });
  picture.setAttribute("aria-hidden", "true");
  const leave = make("button", { type: "button", className: "quiet small" }, words.leaveOut);
  leave.setAttribute("aria-label", `${words.leaveOut}${words.colon} ${name}`);
  const [object, state] = [make("td"), make("td")];
  const line = make(
    "tr",
    {},
    make("td", { className: "thumbnail" }, picture),
    make(
      "td",
      { dir: "auto" },
      name,
      make("small", {}, [folder, sizeOf(file.size)].filter(Boolean).join(" · ")),
    ),
    object,
    state,
    make("td", {}, leave),
  );
  const row = { file, path, name, line, object, told: state };
  leave.addEventListener("click", () => {
    if (row.state === "sending") return;
    rows.splice(rows.indexOf(row), 1);
    const next = line.nextElementSibling ?? line.previousElementSibling;
    line.remove();
    tell();
    next?.querySelector("td:last-child button").focus();
  });
  body.append(line);
  pictures.observe(picture);
  rows.push(row);
  set(row, { state: "checking" });
};

/** Updates a row. */
const set = (row, { state, detail, ...known }) => {
  Object.assign(row, known, { state, detail });
  row.line.dataset.state = state;
  row.told.replaceChildren(words.states[state], ...(detail ? [make("small", {}, detail)] : []));
  const isOver = THERE.includes(state) || state === "sending" || state === "checking";
  row.line.querySelector("td:last-child button").hidden = state === "sending" || state === "stored";
  if (row.object_id === undefined) {
    row.object.replaceChildren(...(isOver ? [] : [chooserOf(row)]));
    return;
  }
  const href = form.dataset.object.replace("{id}", row.object_id).replace("%7Bid%7D", row.object_id);
  const change = make("button", { type: "button", className: "quiet small" }, words.change);
  change.setAttribute("aria-label", `${words.change}${words.colon} ${row.name}`);
  change.addEventListener("click", () => {
    const input = chooserOf(row);
    row.object.replaceChildren(input);
    input.focus();
  });
  // opens a new tab, so that the page stays
  const link = make("a", { href, target: "_blank" }, row.idno);
  row.object.replaceChildren(link, ...(isOver ? [] : [change]));
};

const chooserOf = (row) => {
  const input = make("input", { autocomplete: "off", maxLength: 500 });
  input.dataset.pick = "objects";
  input.setAttribute("aria-label", filled(words.choose, { file: row.name }));
  input.placeholder = filled(words.choose, { file: "" }).replace(/[\s:]+$/, "");
  // suggests objects whose title has the words of the file name
  input.addEventListener("focus", () => {
    if (input.value !== "") return;
    input.value = stemOf(row.name)
      .replace(/_|\s*\(\d+\)$/g, " ")
      .trim();
    input.select();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  input.addEventListener("change", async () => {
    const typed = input.value.trim();
    if (typed === "") return;
    let { id, idno } = input.dataset;
    if (!id) {
      // a complete number needs no choice from the list
      const [item] = await ask(asked([{ filename: typed, bytes: 0 }]), { words, lost }).catch(() => []);
      if (item?.state !== "matched") return;
      ({ object_id: id, idno } = item);
    }
    if (row.state === "sending") return;
    set(row, { state: "matched", object_id: id, idno, isChosen: true });
    row.object.querySelector("button").focus();
    tell();
  });
  return input;
};

const tell = (text) => {
  const [ready, faulty] = [those("matched").length, those(...FAULTY).length];
  list.hidden = rows.length === 0;
  form.classList.toggle("began", rows.length > 0);
  list.querySelector("[data-problems]").textContent = `(${numbered(faulty)})`;
  startButton.hidden = stopper !== null || (ready === 0 && !isChecking);
  startButton.disabled = ready === 0 || isChecking;
  startButton.textContent = counted(words.start, ready);
  stopButton.hidden = stopper === null;
  list.querySelector("[data-next]").hidden = stopper !== null || those("stored").length === 0;
  retryButton.hidden = stopper !== null || those("refused").length === 0;
  progress.hidden = stopper === null && !isChecking;
  if (text !== undefined) told.value = text;
  else if (stopper === null && !isChecking) told.value = sum();
};

const lost = () => tell(words.lost);

const sum = () => {
  // counts a file only once, even if it is listed twice
  const there = those(...THERE).filter(({ state, detail }) => state === "stored" || !detail);
  const files = new Set(there.map(({ object_id, sha256, path }) => `${object_id} ${sha256 ?? path}`)).size;
  const objects = new Set(there.map(({ object_id }) => object_id)).size;
  const parts = [
    [words.without, those("ambiguous", "unmatched").length],
    [words.failed, those("refused").length],
  ].flatMap(([forms, count]) => (count > 0 ? [counted(forms, count)] : []));
  if (files > 0)
    parts.unshift(
      filled(words.sum, {
        photos: counted(words.photos, files),
        objects: counted(words.objects, objects),
      }),
    );
  return parts.join(words.semicolon);
};

const advance = (text, done, all) => {
  Object.assign(progress, { value: done, max: all });
  tell(filled(text, { done, all }));
};

/* asking the service and sending files */

const check = async () => {
  if (isChecking) return;
  isChecking = true;
  let fault;
  try {
    while (those("checking").length > 0) await checkSome();
  } catch (error) {
    fault = error.message;
    for (const row of those("checking")) set(row, { state: "refused", detail: fault });
  }
  isChecking = false;
  tell(fault);
};

const checkSome = async () => {
  const all = those("checking");
  advance(words.checked, rows.length - all.length, rows.length);
  const some = all.slice(0, SOME);
  for (const row of some) {
    row.sha256 ??= await sumOf(row.file);
    if (row.sha256 === null) set(row, { state: "refused", detail: words.unreadable });
  }
  const readable = some.filter(({ state }) => state === "checking");
  const files = readable.map(({ path, file, sha256 }) => ({
    filename: path.slice(-500),
    bytes: file.size,
    sha256,
  }));
  const items = await ask(asked(files), { words, lost });
  for (const [index, { filename: _, ...item }] of items.entries()) set(readable[index], item);
};

const send = async () => {
  stopper = new AbortController();
  const { signal } = stopper;
  const fields = [...new FormData(form)].filter(([name]) => name !== "file");
  let done = 0;
  let fault;
  for (;;) {
    const row = those("matched").reduce(
      (one, other) => (one && inOrder(one, other) <= 0 ? one : other),
      null,
    );
    if (!row) break;
    advance(words.sent, done, done + those("matched").length);
    const { object_id, idno } = row;
    set(row, { state: "sending" });
    const sent = new FormData();
    for (const [name, value] of [...fields, ["object_id", object_id]]) sent.append(name, value);
    sent.append("file", row.file, row.name);
    try {
      const [{ state, detail }] = await ask(sent, { words, lost, signal });
      set(row, { state, detail });
    } catch (error) {
      if (signal.aborted || error.isForAll) {
        set(row, { state: "matched", object_id, idno });
        fault = error.isForAll ? error.message : undefined;
        break;
      }
      set(row, { state: "refused", detail: error.message });
    }
    done += 1;
  }
  stopper = null;
  tell(fault);
};

/* actions of people */

const addFiles = (files) => {
  const known = new Set(rows.map(({ path, file }) => `${path} ${file.size} ${file.lastModified}`));
  const wanted = files
    .filter(({ file, path }) => !LITTER.test(path) && !known.has(`${path} ${file.size} ${file.lastModified}`))
    .sort(inOrder);
  for (const { file, path } of wanted) addRow(file, path);
  tell();
  check();
};

for (const input of form.querySelectorAll("[type=file]"))
  input.addEventListener("change", () => {
    addFiles([...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
    input.value = "";
  });
form.querySelector("[data-plain]").hidden = true;
form.addEventListener("submit", (event) => event.preventDefault());

const main = document.querySelector("main");
for (const type of ["dragover", "dragleave", "drop"])
  main.addEventListener(type, async (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    form.classList.toggle("over", type === "dragover");
    if (type !== "drop") return;
    const entries = [...event.dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
    addFiles((await Promise.all(entries.map(filesIn))).flat());
  });

startButton.addEventListener("click", send);
stopButton.addEventListener("click", () => stopper?.abort());
retryButton.addEventListener("click", () => {
  for (const row of those("refused")) set(row, { state: row.isChosen ? "matched" : "checking" });
  check();
});
only.addEventListener("change", () => body.parentElement.classList.toggle("faulty", only.checked));
addEventListener("beforeunload", (event) => {
  if (stopper) event.preventDefault();
});
