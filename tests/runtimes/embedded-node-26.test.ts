import { aDay } from "./embedded.ts";

aDay("Node 26");
