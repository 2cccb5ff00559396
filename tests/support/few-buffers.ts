/** The small databases of tests start in half the time with little memory to clear. */
export const FEW_BUFFERS = { SVC_DATABASE_BUFFERS_MB: "16" };
