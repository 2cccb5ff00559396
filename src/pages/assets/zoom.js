/** Opens pictures of a page in a viewer that zooms (OpenSeadragon on the image server), over the whole window. */
const own = document.querySelector("script[data-viewer]");
const words = own.dataset;
const pictures = [...document.querySelectorAll("a[data-zoom]")];

let loading;
function viewerCode() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.nonce = own.nonce;
    script.src = words.viewer;
    script.onload = () => resolve(window.OpenSeadragon);
    script.onerror = () => {
      loading = undefined;
      reject(new Error("the viewer cannot be loaded"));
    };
    document.head.append(script);
  });
  return loading;
}

function button(label, sign, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "quiet";
  made.setAttribute("aria-label", label);
  made.title = label;
  made.textContent = sign;
  made.addEventListener("click", act);
  return made;
}

async function open(start) {
  const OpenSeadragon = await viewerCode();
  const dialog = document.createElement("dialog");
  dialog.className = "zoom";
  const stage = document.createElement("div");
  const bar = document.createElement("div");
  bar.className = "row";
  dialog.append(stage, bar);
  document.body.append(dialog);
  dialog.showModal();
  const viewer = OpenSeadragon({
    element: stage,
    showNavigationControl: false,
    animationTime: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 0.5,
    maxZoomPixelRatio: 2,
  });
  let at = start;
  const show = async (index) => {
    at = (index + pictures.length) % pictures.length;
    const address = pictures[at].dataset.zoom;
    const info = await (await fetch(address)).json();
    // the same host as the page, by whatever name it was opened
    viewer.open({ ...info, id: new URL(address, location.href).href.replace(/\/info\.json$/, "") });
    stage.setAttribute("aria-label", pictures[at].querySelector("img").alt);
  };
  const zoom = (by) => viewer.viewport?.zoomBy(by).applyConstraints();
  if (pictures.length > 1) {
    bar.append(
      button(words.previous, "‹", () => show(at - 1)),
      button(words.next, "›", () => show(at + 1)),
    );
  }
  bar.append(
    button(words.in, "+", () => zoom(1.5)),
    button(words.out, "−", () => zoom(1 / 1.5)),
    button(words.close, "×", () => dialog.close()),
  );
  dialog.addEventListener("close", () => {
    viewer.destroy();
    dialog.remove();
    pictures[at].focus();
  });
  await show(start);
}

for (const [index, picture] of pictures.entries()) {
  picture.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    // whatever fails, the picture itself can be seen
    open(index).catch(() => location.assign(picture.href));
  });
}
