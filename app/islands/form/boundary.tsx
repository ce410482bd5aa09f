import { Component, type ReactNode } from "react";

/** Leaves out what cannot be rendered. Stands round everything that is not the form, which must survive it. */
export class Boundary extends Component<{ children: ReactNode }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
