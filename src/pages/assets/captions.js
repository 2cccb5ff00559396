/** Shows captions below sounds, at first in the language of the page if possible, because browsers show captions only for films. */
for (const line of document.querySelectorAll(".cues")) {
  const tracks = line.previousElementSibling.textTracks;
  const show = () => {
    const shown = [...tracks].find(({ mode }) => mode === "showing");
    line.hidden = !shown;
    line.lang = shown?.language ?? "";
    line.replaceChildren(...[...(shown?.activeCues ?? [])].flatMap((cue) => [cue.getCueAsHTML(), " "]));
  };
  for (const track of tracks) track.addEventListener("cuechange", show);
  // the reader chooses another language, or none, in the menu of the player
  tracks.addEventListener("change", show);
  const first = [...tracks].find(({ language }) => language === document.documentElement.lang) ?? tracks[0];
  first.mode = "showing";
}
