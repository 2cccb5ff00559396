/** What the scripts of the staff pages share: asking the service, waiting until somebody stops typing, making elements, comparing names. */

/** What the page says of itself in its head, for example `base`: the address of the service. */
export const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";

/** The answer of the API, as JSON, for whoever is signed in on the page. Throws if it is a refusal. */
export const api = async (path) => {
  const answer = await fetch(`${meta("base")}${path}`, {
    headers: { Accept: "application/json", "X-CSRF-Token": meta("csrf") },
  });
  if (!answer.ok) throw new Error(`${path} answered with ${answer.status}`);
  return answer.json();
};

/** Makes one call of several quick ones: the last. It only helps, so an error is not shown. */
export const settled = (milliseconds, work) => {
  let waiting;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      await work(...given).catch(() => {});
    }, milliseconds);
  };
};

/** Without capitals and accents. */
export const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

export const make = (tag, properties = {}, ...content) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
};
