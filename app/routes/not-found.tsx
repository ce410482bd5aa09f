import { data } from "react-router";
import { ButtonLink } from "../ui/button.tsx";

export const meta = () => [{ title: "404 Page Not Found" }, { name: "robots", content: "noindex" }];

export const loader = () => data(null, { status: 404 });
export const action = loader;

export default function NotFound() {
  return (
    <div className="page">
      <title>404 Page Not Found</title>
      <meta name="robots" content="noindex" />
      <h1>404 Page Not Found</h1>
      <p>Did you forget to add the page to the router?</p>
      <p>
        If you followed a link to get here, the page may have moved. The menu above leads to
        everything there is.
      </p>
      <p>
        <ButtonLink href="/">Go to the home page</ButtonLink>
      </p>
    </div>
  );
}
