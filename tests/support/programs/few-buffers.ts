/** Gives embedded databases little memory: it is cleared at each start, so tests start in half the time. */
export const FEW_BUFFERS = { SVC_DATABASE_BUFFERS_MB: "16" };
