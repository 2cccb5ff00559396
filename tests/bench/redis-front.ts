/** A REST front end for Redis in a separate process, as in production; prints its address and keeps running. */
import { openRedisRest } from "../support/servers/redis-rest.ts";

const { url, token } = await openRedisRest();
console.log(JSON.stringify({ url, token }));
