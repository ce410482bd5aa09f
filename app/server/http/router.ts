import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";

/** React Router's request handler for all routes. */
export interface Pages {
  /** The server build, for the Express adapter. */
  build: ServerBuild | (() => Promise<ServerBuild>);
  handle(request: Request, context: RouterContextProvider): Promise<Response>;
}

/** Loads the routes: reloaded after every change in development, part of the program when built. */
export async function loadPages(): Promise<Pages> {
  const load = () => import("virtual:react-router/server-build");
  const build = import.meta.env.DEV ? load : await load();
  return { build, handle: createRequestHandler(build, import.meta.env.MODE) };
}
