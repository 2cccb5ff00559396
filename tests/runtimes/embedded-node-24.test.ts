import { aDay } from "./embedded.ts";

aDay("Node 24", true);
