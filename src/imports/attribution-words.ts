/** Words that say how certain it is who made an object: "Werkstatt von", "attributed to". */
import { wordSet, wordsOf } from "../text.ts";

/** Usual words for each term, folded. */
const VARIANTS: Readonly<Record<string, RegExp>> = {
  formerly_attributed_to:
    /^(fruher|ehemals|vormals|formerly|previously|anciennement|autrefois|gia|antes|voorheen|vroeger|eerder|jadis) (zugeschrieben|attributed|attribuee?|attribuit[oa]|atribuid[oa]|toegeschreven)$/,
  attributed_to:
    /^(zugeschr(ieben(e|er|es)?)?|zuschreibung|attributed|attribution|attribuee?|attribuit[oa]|attribuzione|atribuid[oa]|atribucion|toegeschreven|toeschrijving|attr(ib)?|ascribed)$/,
  workshop_of: /^((aus )?werkstatt|(aus )?atelier|workshop|studio|bottega|taller|werkplaats)$/,
  circle_of:
    /^((aus )?(um)?kreis|(from )?circle|entourage|cercle|cerchia|ambito|circulo|entorno|omgeving|kring)$/,
  follower_of:
    /^(nachfolgerin|nachfolger|(in der )?nachfolge|follower|suiveur|seguace|seguidora?|navolger|volgeling)$/,
  manner_of:
    /^(art|nach art|in der art|manier|in der manier|manner|in the manner|(a la )?maniere|(alla )?maniera|dans le gout|(a la )?manera|(in de )?(trant|stijl)|((in )?the |im |dans le |al )?(style|stil|stile|estilo))$/,
  copy_after: /^(kopie|copy|copie|copia)$/,
  possibly:
    /^(moglicherweise|vielleicht|vermutlich|possibly|perhaps|peut etre|forse|posiblemente|quizas|mogelijk|misschien)$/,
};

/** Small words before a name. They say nothing about the attribution, so they may be dropped. */
export const SMALL = wordSet(
  "von vom des der dem den d de du da di del of the to le la les l an a after nach d apres par by und and et dal dalla dell della da del lo la il el van het naar aan e y en al all alla ad au aux door",
);

/** The term for these words, folded: `workshop_of` for "werkstatt des". */
export function attributionIn(words: readonly string[]): string | undefined {
  const last = words.findLastIndex((word) => !SMALL.has(word));
  const head = words.slice(0, Math.max(last, 0) + 1).join(" ");
  return Object.entries(VARIANTS).find(([, variant]) => variant.test(head))?.[0];
}

/** Names may have these words, too: "Art Kane". */
const NAMES = /^(?:art|copia|studio)$/;
const AFTER =
  /^(?:after|nach|naar|d apres|segun|(?:close )?(?:assistant|copyist|follower|imitator|pupil) of|schuler(?:in)?|umfeld|kopist(?:in)?|nachahmer(?:in)?|eleve|imitateur|disciple|allievo|aiuto|alumno|discipulo|imita(?:dor|tore)|leerling) /;

/** Whether a text says that somebody else made the work: "Umkreis Rembrandt", "nach Rembrandt", "Rubens, Peter Paul (Kopie)". */
export function hasAttribution(name: string): boolean {
  const [first = [], ...others] = name.split(/[,;()[\]]/).map(wordsOf);
  return begins(first) || others.some((words) => begins([...words, ""]));
}

const begins = (words: readonly string[]): boolean =>
  AFTER.test(words.join(" ")) ||
  words.some((next, index) => {
    const begin = words.slice(0, index);
    return attributionIn(begin) !== undefined && (SMALL.has(next) || !NAMES.test(begin.join(" ")));
  });
