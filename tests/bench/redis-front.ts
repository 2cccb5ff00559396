/** A REST front before Redis in a process of its own, as it is elsewhere in production; says where it is, and stays. */
import { openRedisRest } from "../support/redis-rest.ts";

const { url, token } = await openRedisRest();
console.log(JSON.stringify({ url, token }));
