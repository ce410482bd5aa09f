import { data } from "react-router";
import { routeContext } from "../context.ts";
import { Submit } from "../ui/button.tsx";
import "../styles/parts/forms.css";
import type { Route } from "./+types/manage-subscription";
import { privateHeaders } from "./form-route.ts";

/** "ended": this post unsubscribes. "unknown": no subscription has the token, or the post has no known purpose. */
type State = "unconfirmed" | "confirmed" | "just confirmed" | "ended" | "unknown";

const tokenIn = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

const respond = (state: State, status: number) =>
  data({ state }, { status, headers: privateHeaders });

/** Opening the link changes nothing: mail programs and scanners open links too. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const found = await context.get(routeContext).findSubscription(tokenIn(request));
  if (!found) return respond("unknown", 404);
  return respond(found.isConfirmed ? "confirmed" : "unconfirmed", 200);
}

/** Takes the page's buttons, and the one-click post of mail programs (RFC 8058). */
export async function action({ request, context }: Route.ActionArgs) {
  const { readTexts, confirmSubscription, unsubscribe } = context.get(routeContext);
  const typed = await readTexts();
  const token = tokenIn(request);
  if (typed?.intent === "confirm") {
    const isKnown = await confirmSubscription(token);
    return isKnown ? respond("just confirmed", 200) : respond("unknown", 404);
  }
  const ends = typed?.intent === "end" || typed?.["List-Unsubscribe"] === "One-Click";
  if (!ends) return respond("unknown", 400);
  await unsubscribe(token);
  return respond("ended", 200);
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

const words: Record<State, { title: string; text: string; stamp?: string }> = {
  unconfirmed: {
    title: "Confirm your subscription",
    text: "We write to you when there is something new to read, and for nothing else.",
  },
  confirmed: {
    title: "Your subscription",
    text: "Your address is confirmed. We write to you when there is something new to read.",
  },
  "just confirmed": {
    title: "Your subscription is confirmed",
    stamp: "Confirmed",
    text: "We write to you when there is something new to read. Each of these emails has a link to unsubscribe.",
  },
  ended: {
    title: "You are unsubscribed",
    stamp: "Deleted",
    text: "We have deleted your address, and will not write to you again.",
  },
  unknown: {
    title: "This link opens no subscription",
    text: "The subscription has ended and its address is deleted, or the link is incomplete.",
  },
};

export default function Subscription({ loaderData, actionData }: Route.ComponentProps) {
  const { state } = actionData ?? loaderData;
  const { title, text, stamp } = words[state];
  return (
    <div className="page narrow">
      <title>{title}</title>
      <meta name="robots" content="noindex" />
      <meta name="description" content="Confirm or end a subscription to new articles." />
      <h1>{title}</h1>
      <div className="slip sheet">
        {stamp && (
          <p className="stamp" aria-hidden="true">
            {stamp}
          </p>
        )}
        <p className="lead">{text}</p>
        {/* Without an action the form posts to the URL of the page, which has the token. */}
        <form method="post" className="actions">
          {state === "unconfirmed" && (
            <>
              <Submit className="button" value="confirm">
                Yes, write to me
              </Submit>
              <Submit className="button quiet" value="end">
                No, delete my address
              </Submit>
            </>
          )}
          {state === "confirmed" && (
            <Submit className="button quiet" value="end">
              Unsubscribe
            </Submit>
          )}
          <a href="/blog">Go to the blog</a>
        </form>
      </div>
    </div>
  );
}
