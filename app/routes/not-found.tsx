import { data } from "react-router";
import { NotFound } from "../ui/not-found.tsx";

export const loader = () => data(null, { status: 404 });
export const action = loader;

export default NotFound;
