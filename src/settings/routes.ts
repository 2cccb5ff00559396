/** /v1/settings: the museum's name, texts and colours; and its logo, which every page shows. */
import { z } from "zod";
import { fileAnswer } from "../http/answer/file-answer.ts";
import { ifMatch, oneJson, writtenJson } from "../http/answer/resource-answers.ts";
import { type Api, endpoint, type Requester, requesterOf } from "../http/endpoint.ts";
import { PATCH_TYPES, readBytes } from "../http/request/body.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { changeLogo, changeSettings } from "./change.ts";
import { keyOfLogo, LARGEST_LOGO, LOGO_TYPES, takeLogo } from "./logo.ts";
import { type Logo, logoPath, type Settings, settingsOf } from "./settings.ts";
import { LogoShape, SettingsPatchShape, SettingsShape } from "./shape.ts";

const access = { feature: "settings:manage" };
const tag = "configuration";
const answer = { description: "The settings", schema: SettingsShape };

export function settingsRoutes(api: Api): void {
  const { services } = api;
  const shown = ({ logo, version: _, ...content }: Settings) => ({ ...content, logo: shownLogo(api, logo) });

  endpoint(api, {
    method: "get",
    path: "/v1/settings",
    tag,
    summary: "Read the settings",
    description: "The museum's name, texts, logo and colours. The pages show all of it publicly.",
    access,
    answers: { 200: answer, 304: { description: "Unchanged" } },
    handle: async ({ c, caller }) => oneJson(c, caller, shown(await settingsOf(services))),
  });

  endpoint(api, {
    method: "patch",
    path: "/v1/settings",
    tag,
    summary: "Change the settings",
    description:
      "JSON Merge Patch (RFC 7396); null restores the default. 422 for a colour that is hard to read on the background of " +
      "either colour scheme; the fault names its contrast. The logo has its own address.",
    access,
    body: { schema: SettingsPatchShape, types: PATCH_TYPES },
    answers: { 200: answer },
    problems: [412],
    async handle({ c, body }) {
      return writtenJson(c, shown(await changeSettings(services, requesterOf(c), ifMatch(c), body, shown)));
    },
  });

  logoRoutes(api);
}

const shownLogo = ({ services }: Api, logo: Logo | null) =>
  logo && { url: `${services.config.baseUrl}${logoPath(logo)}`, width: logo.width, height: logo.height };

function logoRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "put",
    path: "/v1/settings/logo",
    tag,
    summary: "Upload the logo",
    description:
      "The picture itself as the body, at most 1 MiB. It is stored in MEDIA_ROOT, even if media are in a bucket. " +
      "SVG is refused, since it can contain scripts.",
    access,
    body: { schema: z.string().openapi({ format: "binary" }), types: LOGO_TYPES, streamed: true },
    answers: { 200: { description: "The logo", schema: LogoShape } },
    async handle({ c }) {
      const logo = await takeLogo(services, await readBytes(c.req.raw, LARGEST_LOGO));
      await replaceLogo(api, requesterOf(c), logo);
      return writtenJson(c, shownLogo(api, logo));
    },
  });

  endpoint(api, {
    method: "delete",
    path: "/v1/settings/logo",
    tag,
    summary: "Remove the logo",
    access,
    answers: { 204: { description: "There is none" } },
    async handle({ c }) {
      await replaceLogo(api, requesterOf(c), null);
      return c.body(null, 204);
    },
  });

  endpoint(api, {
    method: "get",
    path: "/logo/{file}",
    tag: "pages",
    summary: "The logo",
    access: "public",
    crossOrigin: "anybody",
    params: z.object({ file: z.string() }),
    produces: [],
    answers: {
      200: { description: "The picture" },
      206: { description: "The part that `Range` asks for" },
      304: { description: "Unchanged" },
    },
    problems: [404, 416],
    page: true,
    async handle({ c, params }) {
      const { logo } = await settingsOf(services);
      const key = keyOfLogo(params.file);
      const file = logo?.file === params.file ? await services.localFiles.stat(key) : null;
      if (logo === null || file === null) throw noLogo();
      return fileAnswer(c, {
        bytes: file.bytes,
        // its name is a hash of its content
        head: { ETag: `"${logo.file}"`, "Cache-Control": "public, max-age=31536000, immutable" },
        headers: { "Content-Type": logo.type },
        async content(range) {
          const found = await services.localFiles.get(key, range ?? undefined);
          if (found === null) throw noLogo();
          return found.content;
        },
      });
    },
  });
}

const noLogo = () => new Problem("not_found", said("problem.logo.not_found"));

/** Deletes the previous file. */
export async function replaceLogo({ services }: Api, by: Requester, logo: Logo | null): Promise<void> {
  const { before } = await changeLogo(services, by, logo);
  if (before && before.file !== logo?.file) await services.localFiles.remove(keyOfLogo(before.file));
}
