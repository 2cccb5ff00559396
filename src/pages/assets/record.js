/** What a record's page does more where scripts run: copies its citation, and passes its address on. */
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
  // who changes their mind has not failed
  navigator.share({ title: document.title, url: button.dataset.share }).catch(() => undefined);
});
