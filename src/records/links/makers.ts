/**
 * Who made an object, among the people whose link names them with their part in its making: a commissioner, publisher or owner
 * did not. What leaves the catalogue names only makers as its creators.
 */
import { fold } from "../../text.ts";
import type { Metadata } from "../record.ts";

/** Roles, as words in the languages of the program, of people who did not make the object. */
const OTHERS = new RegExp(
  `\\b(${[
    "commission|committent|comitente|opdrachtgev|patron|client|auftrag|beauftrag|bestell|command|mazen|mecen",
    "publish|publication|verlag|verleg|veroffentlich|publikation|editeur(?!/editrice scientifique)(?! scientifique)|" +
      "editore|casa editrice|pubblicat|editor/editora|uitgever",
    "owner|proprietor|eigent|besitz|vorbesitz|proprietaire|possesseur|collector|sammler|collectionn|" +
      "proprietari|propietari|eigenaar|collezionist|coleccionist|verzamelaar",
    "donor|donat|stifter|spender|schenk|testator|bequea|erblasser|legateur|seller|vend|verkauf|verausser|donant|schenker|verkoper",
    "dealer|handler|marchand|lieferant|einlieferer|depositor|lender|leihgeb|preteur|mercante|marchante|handelaar|prestatore|prestador|bruikleengever",
    "sitter|portrayed|portratiert|dargestellt|depicted|modele?\\b|modell\\b|represente|subject\\b|raffigurat|ritrattat[oa]|representad|retratad|voorgesteld|geportretteerd",
    "dedicat|widmung|recipient|empfang|adressat|addressee|destinat|dedica|ontvanger",
    "curator|kurator|conservat|conservad|restaurat|restaurad|restorer|finder|excavator|archaolog|archaeolog|archeolog|arqueolog",
  ].join("|")})`,
);

/** "printmaker and publisher" are two roles. What is in brackets explains one. */
const partsOf = (role: string): string[] =>
  fold(role)
    .replace(/\([^()]*\)/g, "")
    .split(/[,;&+]| (?:and|und|et|e|y|en) /)
    .filter((part) => part.trim() !== "");

/** Whether a role, in words, is one of making. Unknown ones are. */
export const isOfMaking = (role: string): boolean => {
  const parts = partsOf(role);
  return parts.length === 0 || parts.some((part) => !OTHERS.test(part));
};

/** Whether what a link says of somebody's part in the making is that of a maker: it names no role, or one of making. */
export const isMaker = ({ role = [] }: Metadata): boolean =>
  role.length === 0 || role.some(({ value }) => isOfMaking(value));
