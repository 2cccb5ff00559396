/** Shows 3D models in the page (model-viewer): small ones when they come into view, others on request. */
const script = document.querySelector("script[data-model-viewer]");
const words = script.dataset;
/** The most bytes of a model that loads without a click. */
const SMALL = 8 * 1024 * 1024;
// for the style elements of the viewer
self.litNonce = script.nonce;

const decoders = { "draco_wasm_wrapper.js": words.draco, "draco_decoder.wasm": words.dracoWasm };
const SIDES = ["front", "right", "back", "left"].flatMap((side) => [`upper-${side}`, side, `lower-${side}`]);

async function load() {
  await import(words.modelViewer);
  const Viewer = customElements.get("model-viewer");
  Viewer.mapURLs((address) => decoders[address] ?? address);
  // this decoder is built in
  Viewer.meshoptDecoderLocation = "inside";
  return Viewer;
}

async function show(button) {
  const { model, alt } = button.dataset;
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  const help = document.createElement("p");
  try {
    const Viewer = await load();
    const viewer = new Viewer();
    // the viewer would announce the visible side in English
    viewer.a11y = {
      ...Object.fromEntries(SIDES.map((side) => [side, ""])),
      "interaction-prompt": words.help,
    };
    Object.assign(viewer, { alt, cameraControls: true, interactionPrompt: "none", touchAction: "pan-y" });
    // the wheel scrolls the page; with Ctrl, as when two fingers pinch a touchpad, it zooms the model
    const scroll = (event) => event.ctrlKey || event.stopPropagation();
    viewer.addEventListener("wheel", scroll, { capture: true });
    const hadFocus = document.activeElement === button;
    const shown = new Promise((resolve, reject) => {
      viewer.addEventListener("load", resolve, { once: true });
      viewer.addEventListener("error", reject, { once: true });
    });
    viewer.src = model;
    help.className = "help";
    help.textContent = words.loading;
    button.after(viewer, help);
    button.hidden = true;
    await shown;
    viewer.classList.add("shown");
    help.textContent = words.help;
    if (hadFocus) viewer.focus();
  } catch {
    help.remove();
    button.nextElementSibling?.matches("model-viewer") && button.nextElementSibling.remove();
    button.hidden = false;
    button.lastElementChild.textContent = words.failed;
  }
}

const seen = new IntersectionObserver((entries) => {
  for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
    seen.unobserve(target);
    show(target);
  }
});

for (const button of document.querySelectorAll("button[data-model]")) {
  button.hidden = false;
  button.addEventListener("click", () => show(button));
  if (Number(button.dataset.bytes) <= SMALL) seen.observe(button);
}
