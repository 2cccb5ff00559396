/** Takes the secret of a link out of the address, where others could read it, and puts it into the form. */
const takeSecret = () => {
  const input = document.querySelector("#with-token [name=token], #with-token [name=code]");
  const secret = input && new URLSearchParams(location.hash.slice(1)).get(input.name);
  if (!secret) return;
  history.replaceState(null, "", location.pathname + location.search);
  input.value = secret;
  document.querySelector("#with-token").hidden = false;
  document.querySelector("#without-token")?.remove();
};
takeSecret();
// the link is opened again in the same tab: the page stays
addEventListener("hashchange", takeSecret);
