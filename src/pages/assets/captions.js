/** Shows captions below sounds, if possible in the language of the page, because browsers show captions only for films. */
for (const line of document.querySelectorAll(".cues")) {
  const tracks = [...line.previousElementSibling.textTracks];
  const track = tracks.find(({ language }) => language === document.documentElement.lang) ?? tracks[0];
  track.mode = "hidden";
  track.addEventListener("cuechange", () => {
    line.lang = track.language;
    line.replaceChildren(...[...track.activeCues].flatMap((cue) => [cue.getCueAsHTML(), " "]));
  });
}
