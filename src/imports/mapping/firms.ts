/** Tells names of firms and other groups from those of people. */
import { wordSet, wordsOf } from "../../text.ts";

/** Words in names of firms and other groups, folded. Words that are surnames too, such as "Guerra" and "Haus", are left out. */
const OF_FIRMS = wordSet(
  "academy airways army association brewery bros brothers co collection college company corporation " +
    "council dynasty empire era excavation exhibition expedition factory family foundry galleries gallery government hms inc " +
    "institute institution investigations kingdom ltd ministry mint navy observatory period photo photos porcelain " +
    "pottery press railway railways regiment republic school sisters society sons studios survey theatre union " +
    "university uss workshop workshops potteries board books",
  "ag akademie ausstellung bundespost dynastie epoche familie firma foto fotografie galerie gebr gebruder " +
    "genossenschaft gmbh grabung kg kunstlergruppe ministerium " +
    "munze munzstatte nachf nachlass ohg partei regierung reichspost republik slg sms sohne staatliche " +
    "staatliches theater universitat vereinigte werkbund witwe wwe ziegelei veb erben stiftung sparkasse kirchengemeinde apotheke feuerwehr ehepaar geschwister",
  "agence armee ateliers banque cie collection commune compagnie cristallerie dynastie ecole editions empire epoque " +
    "etablissements ets exposition fabrique faiencerie famille fonderie freres imagerie imprimerie librairie " +
    "faienceries cristalleries verreries fonderies veuve vve lithographie lycee maison manufacture ministere musee orfevrerie photographie porcelaines republique " +
    "royaume societe universite verrerie",
  "accademia agenzia bottega casa ceramiche collezione compagnia comune cooperativa ditta edizioni " +
    "dinastia epoca esercito esposizione fabbrica famiglia figli flli fonderia fratelli galleria granducato impero istituto " +
    "eredi coniugi libreria litografia manifattura ministero museo officina officine repubblica scuola societa spa " +
    "spedizione srl stabilimento stamperia teatro tipografia universita vetreria",
  "academia ayuntamiento ceca coleccion compania editorial ejercito escuela estudio expedicion exposicion " +
    "fabrica familia fundicion galeria hermanos hijos hnos imperio imprenta instituto ministerio sociedad taller " +
    "talleres universidad viuda vda herederos matrimonio",
  "academie bv expeditie gebroeders gemeente genootschap koninklijke maatschappij ministerie nv " +
    "weduwe wed erven echtpaar rijksmunt spoorwegen vereniging zonen",
);

/** Not "Althaus", "Handel", "Mérei". */
const FIRM_ENDS = new RegExp(
  "(?:atelier|studio|fabrieken|gemeinde|verlag|fabrik|manufaktur|werke|works|anstalt|handlung|glashutte|werkstatt(?:en?)?|gesellschaft|verein|schule|institut|" +
    "museum|sammlung|\\w{3}erei|erij|fabriek|(?:kunst|buch|boek|wein|wijn|holz|hout)handel|(?:reichs|bundes|eisen|strassen)bahn|" +
    "(?:konig|kaiser)reich|(?:auktions|bank|bau|foto|handels|kauf|mode|musik|photo|schuh|versand|waren|zeug)haus)$",
);
/** Together only: there are people called Guild, Zecca, Banco, Reich, and Dumas fils. */
const FIRM_PHRASE =
  /\b(?:et fils|y cia|guild of|house of|workers guild|chemins de fer|deutsches reich|reino de|regno d\w*|zecca d\w*|(?:bank|banca|banco) (?:of|d\w*))\b/;

/** "Fiat S.p.A.", "F.lli Rossi", "Fa. Krupp", "Brüder Thonet"; Bruder is a surname. */
const DOTTED =
  /(?<![\p{L}.])(?:S\.p\.A|S\.r\.l|A\.G|G\.m\.b\.H|N\.V|B\.V|S\.A|e\.\s?V|F\.lli|Fa\.|Brüder)(?!\p{L})/u;

/** Whether the text names a firm or group, so that years after it are not those of a life. */
export function isFirm(text: string): boolean {
  const words = wordsOf(text);
  const isOne = (word: string) => OF_FIRMS.has(word) || FIRM_ENDS.test(word);
  return text.includes("&") || DOTTED.test(text) || words.some(isOne) || FIRM_PHRASE.test(words.join(" "));
}
