import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";

/** The pages and calls, as the router knows them. */
export interface Pages {
  /** For the Express adapter. */
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Answers one request. */
  answer(request: Request, context: RouterContextProvider): Promise<Response>;
}

/** In development they are imported again after every change; built, they are part of the program. */
export async function loadPages(): Promise<Pages> {
  const load = () => import("virtual:react-router/server-build");
  const build = import.meta.env.DEV ? load : await load();
  return { build, answer: createRequestHandler(build, import.meta.env.MODE) };
}
