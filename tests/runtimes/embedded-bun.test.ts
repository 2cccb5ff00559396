import { aDay } from "./embedded.ts";

aDay("Bun");
