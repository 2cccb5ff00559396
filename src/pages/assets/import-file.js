/** Warns before sending if a file is not a list. Checks the first bytes, and the name where these are the same. */
const input = document.querySelector("input[data-refused]");
const refused = JSON.parse(input?.dataset.refused ?? "{}");

const STARTS = { "89504e47": "png", ffd8ff: "jpeg", 25504446: "pdf", "1f8b": "gzip" };

const kindOf = async (file) => {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const start = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const ending = /\.([^.]+)$/.exec(file.name)?.[1].toLowerCase();
  if (start === "504b0304") return ending === "xlsx" ? undefined : ending;
  // an encrypted workbook may end in .xlsx
  if (start === "d0cf11e0") return { xls: "xls", doc: "doc", xlsx: "encrypted" }[ending] ?? "office";
  return Object.entries(STARTS).find(([known]) => start.startsWith(known))?.[1];
};

input?.addEventListener("change", async () => {
  const [file] = input.files;
  input.setCustomValidity((file && refused[await kindOf(file)]) ?? "");
  if (file) input.reportValidity();
});
