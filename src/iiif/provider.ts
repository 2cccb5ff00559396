/** The museum as `provider` in manifests (Presentation API 3.0 §3.1). */
import { asIri } from "../iri.ts";
import { logoPath, type Settings } from "../settings/settings.ts";
import { fromLabels } from "./manifest.ts";

/** One agent; none while the museum has no name. `baseUrl`: of the service, without a slash at its end. */
export function providerOf(baseUrl: string, { name, homepage_url, logo }: Settings): readonly unknown[] {
  if (Object.keys(name).length === 0) return [];
  const address = asIri(homepage_url ?? "") ?? `${baseUrl}/`;
  const label = fromLabels(name, baseUrl);
  return [
    {
      id: address,
      type: "Agent",
      label,
      homepage: [{ id: address, type: "Text", label, format: "text/html" }],
      ...(logo === null
        ? {}
        : {
            logo: [
              {
                id: `${baseUrl}${logoPath(logo)}`,
                type: "Image",
                format: logo.type,
                width: logo.width,
                height: logo.height,
              },
            ],
          }),
    },
  ];
}
