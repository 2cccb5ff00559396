/** Scripts of a record's page: copy the citation, share the address, go to the neighbours in a search. */
const reveal = (button, act) => {
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => act(button));
};

reveal(navigator.clipboard && document.querySelector("[data-copy]"), async (button) => {
  const words = button.textContent;
  const text = document.getElementById(button.dataset.copy).textContent;
  await navigator.clipboard.writeText(text.replace(/\s+/g, " ").trim());
  button.setAttribute("aria-live", "polite");
  button.textContent = button.dataset.done;
  setTimeout(() => {
    button.textContent = words;
  }, 3000);
});

reveal(navigator.share && document.querySelector("[data-share]"), (button) => {
  // also fails if the reader cancels
  navigator.share({ title: document.title, url: button.dataset.share }).catch(() => undefined);
});

// The query of the search that led here: of the page before, or of the neighbour's link, whose fragment the server does not get.
const results = document.querySelector("[data-search]");
const page = results.dataset.search;
function queryOfSearch() {
  if (location.hash.startsWith("#?")) {
    // keeps the search out of a copied address
    history.replaceState(location.hash.slice(1), "", location.pathname + location.search);
  }
  if (history.state) return history.state;
  const before = document.referrer && new URL(document.referrer);
  return before && before.origin === location.origin && before.pathname === page
    ? before.search || "?"
    : null;
}

/** The links on a page of results: its records in order, and the previous and next page. */
async function resultsAt(query) {
  const answer = await fetch(page + query, { headers: { Accept: "text/html" } });
  const found = new DOMParser().parseFromString(await answer.text(), "text/html");
  const beside = (rel) => found.querySelector(`.results .paging [rel=${rel}]`)?.search;
  return {
    records: [...found.querySelectorAll(".results li > a")],
    previous: beside("prev"),
    next: beside("next"),
  };
}

function lead(rel, record, query) {
  if (!record) return;
  const link = results.querySelector(`[rel=${rel}]`);
  link.href = `${record.pathname}#${query}`;
  link.title = record.querySelector("b").textContent;
}

const query = queryOfSearch();
if (query) {
  results.querySelector("a").href = page + query;
  results.hidden = false;
  const { records, previous, next } = await resultsAt(query);
  const at = records.findIndex(({ pathname }) => pathname === location.pathname);
  if (at > 0) lead("prev", records[at - 1], query);
  else if (at === 0 && previous) lead("prev", (await resultsAt(previous)).records.at(-1), previous);
  if (at !== -1 && at < records.length - 1) lead("next", records[at + 1], query);
  else if (at !== -1 && next) lead("next", (await resultsAt(next)).records[0], next);
}
