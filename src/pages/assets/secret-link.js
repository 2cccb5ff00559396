/** Moves the secret of a link from the address, where others could read it, into the form. */
const takeSecret = () => {
  const input = document.querySelector("#with-token [name=token], #with-token [name=code]");
  const secret = input && new URLSearchParams(location.hash.slice(1)).get(input.name);
  if (!secret) return;
  history.replaceState(null, "", location.pathname + location.search);
  input.value = secret;
  // the page in another language takes it, too
  for (const link of document.querySelectorAll("a[hreflang]"))
    link.hash = `${input.name}=${encodeURIComponent(secret)}`;
  document.querySelector("#with-token").hidden = false;
  document.querySelector("#without-token")?.remove();
};
takeSecret();
// opening another link in the same tab does not reload the page
addEventListener("hashchange", takeSecret);
