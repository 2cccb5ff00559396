/** Takes the token of the mail's link out of the address, where others could read it, and puts it into the form. */
const takeToken = () => {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  const withToken = document.querySelector("#with-token");
  withToken.querySelector("[name=token]").value = token;
  withToken.hidden = false;
  document.querySelector("#without-token")?.remove();
};
takeToken();
// the link is opened again in the same tab: the page stays
addEventListener("hashchange", takeToken);
