/** Shows the captions of sounds below them, in the language of the page if there are such: browsers show only those of films. */
for (const line of document.querySelectorAll(".cues")) {
  const tracks = [...line.previousElementSibling.textTracks];
  const track = tracks.find(({ language }) => language === document.documentElement.lang) ?? tracks[0];
  track.mode = "hidden";
  track.addEventListener("cuechange", () => {
    line.lang = track.language;
    line.replaceChildren(...[...track.activeCues].flatMap((cue) => [cue.getCueAsHTML(), " "]));
  });
}
