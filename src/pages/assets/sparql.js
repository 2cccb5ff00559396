/** Colours a query during typing: the coloured text lies behind the transparent text of the input. */
const own = document.querySelector("script[data-hint]");
const field = document.querySelector("#query");

const TOKENS = new RegExp(
  [
    String.raw`(?<comment>#[^\n]*)`,
    String.raw`(?<string>"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)`,
    String.raw`(?<iri><[^<>"{}|^\\\s]*>)`,
    String.raw`(?<variable>[?$][\p{L}\p{N}_]+)`,
    String.raw`(?<name>(?:\p{L}[\p{L}\p{N}_.-]*)?:[\p{L}\p{N}_.:%-]*)`,
    String.raw`(?<number>\b\d[\d.]*(?:[eE][+-]?\d+)?)`,
    // words without a sign before or inside them are keywords or functions
    String.raw`(?<keyword>(?<!@)\b\p{L}[\p{L}\p{N}_]*)`,
  ].join("|"),
  "gu",
);

function* coloured(text) {
  let from = 0;
  for (const { 0: token, index, groups } of text.matchAll(TOKENS)) {
    yield text.slice(from, index);
    const part = document.createElement("span");
    part.className = Object.keys(groups).find((kind) => groups[kind] !== undefined);
    part.textContent = token;
    yield part;
    from = index + token.length;
  }
  // gives an empty last line its height
  yield `${text.slice(from)}\n`;
}

const behind = document.createElement("pre");
behind.setAttribute("aria-hidden", "true");
const place = document.createElement("div");
place.className = "coloured";
field.replaceWith(place);
place.append(behind, field);
const paint = () => behind.replaceChildren(...coloured(field.value));
field.addEventListener("input", paint);
// a browser may restore typed text
addEventListener("pageshow", paint);
paint();

field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  field.form.requestSubmit();
});
const hint = document.createElement("small");
hint.textContent = own.dataset.hint;
field.form.querySelector("button").after(hint);
