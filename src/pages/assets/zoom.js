/** Opens the pictures of an object in a viewer that zooms (OpenSeadragon on the image server). The manifest lists all of them. */
const script = document.querySelector("script[data-viewer]");
const words = script.dataset;
const dialog = document.querySelector("dialog.zoom");
const [frame, counter, stage, caption, strip] = ["frame", "counter", "stage", "caption", "strip"].map(
  (name) => dialog.querySelector(`.${name}`),
);
const links = [...document.querySelectorAll("a[data-zoom]")];
const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;

let pictures;
let viewer;
let at = 0;

/** Calls `make` once and keeps its result. After a failure, the next call tries again. */
function once(make) {
  let made;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

const loadViewer = once(
  () =>
    new Promise((resolve, reject) => {
      const code = document.createElement("script");
      code.nonce = script.nonce;
      code.src = words.viewer;
      code.onload = () => resolve(window.OpenSeadragon);
      code.onerror = () => reject(new Error("the viewer cannot be loaded"));
      document.head.append(code);
    }),
);

const loadPictures = once(async () => {
  // as visitors see the object, even if somebody is signed in
  const answer = await fetch(words.manifest, { credentials: "omit" });
  pictures = (await answer.json()).items.flatMap(pictureOf);
  strip.replaceChildren(...pictures.map(thumbnailOf));
});

/** Without the host, because the page may be open under another name of the same host. */
const pathOf = (address) => new URL(address).pathname;

/** A text of the manifest in the language of the page, else without a language, else in any. */
function said(map = {}) {
  const language = [document.documentElement.lang, "none", ...Object.keys(map)].find((key) => map[key]);
  return { text: (map[language] ?? []).join(" · "), lang: language === "none" ? "" : (language ?? "") };
}

function pictureOf({ label, summary, requiredStatement, thumbnail, items }, index) {
  const { body } = items[0].items[0];
  if (body.type !== "Image") return [];
  // without a caption, the label is the place among the media
  const isUnnamed = label.none?.[0] === String(index + 1);
  return {
    service: pathOf(body.service[0].id),
    thumbnail: thumbnail[0],
    caption: isUnnamed ? said() : said(label),
    alt: said(summary),
    holder: said(requiredStatement?.value).text,
  };
}

function thumbnailOf({ thumbnail: { id, width, height }, alt, caption }, index) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const image = new Image(width, height);
  image.loading = "lazy";
  image.src = pathOf(id);
  image.alt = [countOf(index), caption.text || alt.text].filter(Boolean).join(", ");
  button.type = "button";
  button.tabIndex = -1;
  button.addEventListener("click", () => show(index));
  button.append(image);
  item.append(button);
  return item;
}

const countOf = (index) => words.counter.replace("{at}", index + 1).replace("{total}", pictures.length);

async function show(index) {
  const last = strip.children[at].firstElementChild;
  at = (index + pictures.length) % pictures.length;
  const { service, alt, caption: told, holder } = pictures[at];
  counter.textContent = countOf(at);
  caption.lang = told.lang;
  caption.textContent = [told.text, holder && `©\u00a0${holder}`].filter(Boolean).join(" · ");
  const own = strip.children[at].firstElementChild;
  const hadFocus = last === document.activeElement;
  last.removeAttribute("aria-current");
  last.tabIndex = -1;
  own.setAttribute("aria-current", "true");
  own.tabIndex = 0;
  if (hadFocus) own.focus({ preventScroll: true });
  own.scrollIntoView({ block: "nearest", inline: "center" });
  viewer.canvas.setAttribute("aria-label", alt.text || told.text || countOf(at));
  const info = await (await fetch(`${service}/info.json`)).json();
  // the reader may have moved on to another picture
  if (pictures[at].service === service) viewer?.open({ ...info, id: new URL(service, location.href).href });
}

async function open(link) {
  const [OpenSeadragon] = await Promise.all([loadViewer(), loadPictures()]);
  const start = pictures.findIndex(({ service }) => `${service}/info.json` === link.dataset.zoom);
  dialog.classList.toggle("single", pictures.length === 1);
  dialog.showModal();
  viewer = OpenSeadragon({
    element: stage,
    showNavigationControl: false,
    animationTime: isStill ? 0 : 0.5,
    maxZoomPixelRatio: 2,
  });
  viewer.canvas.setAttribute("role", "application");
  viewer.canvas.focus();
  dialog.addEventListener("close", () => close(link), { once: true });
  await show(Math.max(0, start));
}

async function close(link) {
  viewer.destroy();
  viewer = undefined;
  // nothing else takes the focus before
  if (document.fullscreenElement) await document.exitFullscreen();
  const shown = links.find(({ dataset }) => dataset.zoom === `${pictures[at].service}/info.json`);
  (shown?.checkVisibility() ? shown : link).focus();
}

const zoom = (by) => viewer.viewport.zoomBy(by).applyConstraints();
const isWhole = () => viewer.viewport.getZoom(true) <= viewer.viewport.getHomeZoom() * 1.01;

// a picture that was whole stays so when the window, or the caption below it, takes another size
new ResizeObserver(() => {
  if (viewer && isWhole()) viewer.addOnceHandler("viewport-change", () => viewer?.viewport.goHome(true));
}).observe(stage);

const actions = {
  previous: () => show(at - 1),
  next: () => show(at + 1),
  in: () => zoom(1.5),
  out: () => zoom(1 / 1.5),
  whole: () => viewer.viewport.goHome(),
  full: () => (document.fullscreenElement ? document.exitFullscreen() : frame.requestFullscreen()),
  close: () => dialog.close(),
};
for (const button of dialog.querySelectorAll("[data-do]"))
  button.addEventListener("click", actions[button.dataset.do]);
// dialogs cannot be full screen, and some phones have no full screen
dialog.querySelector("[data-do=full]").hidden = !document.fullscreenEnabled;

dialog.addEventListener(
  "keydown",
  (event) => {
    const step = { ArrowLeft: actions.previous, ArrowRight: actions.next }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // in an enlarged picture, the arrow keys move the picture
    if (stage.contains(event.target) && !isWhole()) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  },
  { capture: true },
);

for (const link of links) {
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    // after any failure, opens the picture itself
    open(link).catch(() => location.assign(link.href));
  });
}
