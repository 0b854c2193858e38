/** Ends the process before any module after it runs; see compile.ts. */
process.exit();
