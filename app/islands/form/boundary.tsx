import { Component, type ReactNode } from "react";

/** Renders nothing in place of children that throw: the form beside them must survive. */
export class Boundary extends Component<{ children: ReactNode }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
