import { aDay } from "./embedded.ts";

aDay("Node 20.19");
