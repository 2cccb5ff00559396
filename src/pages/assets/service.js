/** Shared by the scripts of the staff pages: asking the service, waiting for a pause in typing, making elements, comparing names. */

/** A `meta` value from the head of the page, for example `base`: the address of the service. */
export const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";

/** The JSON answer of the API for the signed-in reader. Throws if the API refuses. */
export const api = async (path) => {
  const answer = await fetch(`${meta("base")}${path}`, {
    headers: { Accept: "application/json", "X-CSRF-Token": meta("csrf") },
  });
  if (!answer.ok) throw new Error(`${path} answered with ${answer.status}`);
  return answer.json();
};

/** Of several quick calls, makes only the last. Ignores errors, because the result is only a help. */
export const settled = (milliseconds, work) => {
  let waiting;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      await work(...given).catch(() => {});
    }, milliseconds);
  };
};

/** In lower case, without accents. */
export const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

export const make = (tag, properties = {}, ...content) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
};
