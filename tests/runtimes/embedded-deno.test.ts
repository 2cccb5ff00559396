import { aDay } from "./embedded.ts";

aDay("Deno");
