/** The current and former places of an object, the current and former objects of a storage location, and forms to move objects. */
import { html } from "hono/html";
import type { Caller } from "../../caller.ts";
import { offsetOf } from "../../http/answer/list-envelope.ts";
import { csrfField } from "../../pages/forms.ts";
import { partLinks } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import { mayMove } from "../../procedures/move.ts";
import { listMovements, mayReadMovements } from "../../procedures/movements.ts";
import { storageTree } from "../../procedures/storage.ts";
import type { RecordRow } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import type { Services } from "../../services.ts";
import type { SideForm } from "../asked.ts";
import { recordPath } from "../sections.ts";
import { moveInputs } from "./move-form.ts";
import { contentsTable, historyTable, namedMovements, placeOf } from "./movement-tables.ts";
import { tree } from "./storage-page.ts";

/** The most movements on the page of an object. */
const LATEST = 10;
/** The most objects of a place that one page shows and one form moves. */
const MOST_THERE = 200;
const MOST_LEFT = 50;
/** The most locations inside a storage location that its page lists. */
const MOST_INSIDE = 200;

/** `now`: the current place, with a form to move the object, open if it is the refused one. `before`: its former places. */
export async function locationSections(
  { sql }: Services,
  view: View,
  schema: Schema,
  row: RecordRow,
  refused: SideForm,
): Promise<{ now: Html; before: Html }> {
  const { t, link, caller } = view;
  if (!mayReadMovements(caller)) return { now: html``, before: html`` };
  const { items, total } = await listMovements(
    sql,
    caller,
    { object: row.id, formers: true },
    { limit: LATEST, offset: 0 },
  );
  const movements = await namedMovements(sql, view, items);
  const [last] = movements;
  const here = link(recordPath("object", row.id));
  const now = html`<section class="group" id="location" aria-labelledby="location-title">
    <h2 id="location-title">${t("admin.location")}</h2>
    ${last ? html`<p class="lead">${placeOf(view, last)}</p>` : html`<p class="help">${t("admin.location.none")}</p>`}
    ${
      mayMove(schema, caller)
        ? html`<details class="folded" ${"day" in refused ? html`open` : ""}><summary>${t("admin.location.move")}</summary>
      <form class="filters" method="post" action="${here}/move">${csrfField(view)}
      <input type="hidden" name="from" value="${last?.to?.id ?? ""}">${moveInputs(view, "move")}
      <button class="quiet">${t("admin.location.move")}</button></form></details>`
        : ""
    }
  </section>`;
  if (movements.length === 0) return { now, before: html`` };
  const before = html`<section class="group" id="locations">
    <h2>${t("admin.locations")}</h2>${historyTable(view, movements)}
    ${total > LATEST ? html`<p><a href="${here}/locations">${t("admin.locations.all", { count: total })}</a></p>` : ""}
  </section>`;
  return { now, before };
}

/** Objects now in exactly this place, and those that were. @param part of the list of objects now there */
export async function placeSection(
  { sql }: Services,
  view: View,
  schema: Schema,
  row: RecordRow,
  part: number,
): Promise<Html> {
  const { t, link, caller } = view;
  if (!mayReadMovements(caller)) return html``;
  const there = await partOf(sql, caller, row.id, part);
  const left = await listMovements(
    sql,
    caller,
    { place: row.id, stays: false },
    { limit: MOST_LEFT, offset: 0 },
  );
  const now = await namedMovements(sql, view, there.items);
  const before = await namedMovements(sql, view, left.items);
  const here = link(recordPath("storage_location", row.id));
  const inside = await storageTree(sql, caller, MOST_INSIDE, row.id);
  const moves = mayMove(schema, caller);
  const contents = contentsTable(view, t("admin.place.now"), now, { picks: moves, left: false });
  return html`<section class="group" id="contents" aria-labelledby="contents-title">
    <h2 id="contents-title">${t("admin.place.now")} <small>${t("browse.objects", { count: there.total })}</small></h2>
    ${
      now.length === 0
        ? html`<p class="help">${t("admin.place.none")}</p>`
        : moves
          ? html`<form class="groups chooser" method="post" action="${here}/move">${csrfField(view)}<input type="hidden" name="scope" value="chosen">
        ${contents}
        <div class="filters">${moveInputs(view, "move")}<button class="quiet">${t("admin.place.moveAway")}</button><output class="help" data-picked data-some="${t("bulk.picked", { count: "{count}" })}" hidden></output></div></form>`
          : contents
    }
    ${partLinks(view, part, { total: there.total, size: MOST_THERE }, (next) => `${here}?part=${next}#contents`)}
    ${
      moves
        ? html`<h3>${t("admin.place.bring")}</h3>
      <form class="filters" method="post" action="${here}/move">${csrfField(view)}<input type="hidden" name="to" value="${row.idno}">
        <label class="wide"><span>${t("admin.place.numbers")}</span><textarea id="numbers" name="numbers" rows="3" required maxlength="100000" aria-describedby="numbers-help"></textarea></label>
        ${moveInputs(view, "bring", null)}<button class="quiet">${t("admin.place.moveHere")}</button>
        <p class="help" id="numbers-help">${t("admin.place.numbersHelp")}</p></form>`
        : ""
    }
    ${
      inside.total === 0
        ? ""
        : html`<h3>${t("admin.place.inside")}</h3>
      ${inside.total > MOST_INSIDE ? html`<p class="help">${t("bulk.shown", { shown: MOST_INSIDE, all: inside.total })}</p>` : ""}
      ${tree(view, schema, inside.nodes)}`
    }
    ${
      before.length === 0
        ? ""
        : html`<h3>${t("admin.place.before")}</h3>
      ${left.total > MOST_LEFT ? html`<p class="help">${t("bulk.shown", { shown: MOST_LEFT, all: left.total })}</p>` : ""}
      ${contentsTable(view, t("admin.place.before"), before, { picks: false, left: true })}`
    }
  </section>`;
}

async function partOf(sql: Services["sql"], caller: Caller, place: string, part: number) {
  const list = (offset: number) =>
    listMovements(sql, caller, { place, stays: true }, { limit: MOST_THERE, offset });
  const first = await list(0);
  return part === 1 ? first : list(offsetOf(part, { total: first.total, size: MOST_THERE }));
}
