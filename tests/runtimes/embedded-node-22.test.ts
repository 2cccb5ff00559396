import { aDay } from "./embedded.ts";

aDay("Node 22", true);
