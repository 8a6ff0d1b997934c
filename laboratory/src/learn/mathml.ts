/**
 * Equations as MathML, which browsers render by themselves, from a short notation: `_` and `^` with `{…}`, `\frac{a}{b}`,
 * `\dot x`, `\ddot x`, `\tilde x`, `\sqrt{x}`, `\text{…}`, `\fn{cos}`; all else is the letter itself.
 */
const NAMESPACE = "http://www.w3.org/1998/Math/MathML";

export function math(notation: string): Element {
  const made = element("math", ...new Reader(notation).row());
  made.setAttribute("display", "block");
  return made;
}

function element(tag: string, ...children: (Element | string)[]): Element {
  const made = document.createElementNS(NAMESPACE, tag);
  made.append(...children);
  return made;
}

const group = (parts: Element[]): Element => (parts.length === 1 ? parts[0]! : element("mrow", ...parts));

const ACCENTS: Record<string, string> = { dot: "˙", ddot: "¨", tilde: "~" };

class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  /** Up to the end or a closing brace. */
  row(): Element[] {
    const parts: Element[] = [];
    for (;;) {
      this.skip();
      if (this.at >= this.text.length || this.text[this.at] === "}") return parts;
      parts.push(this.scripted());
    }
  }

  private skip(): void {
    while (this.text[this.at] === " ") this.at++;
  }

  /** An atom with what stands below and above it. */
  private scripted(): Element {
    const base = this.atom();
    let below: Element | null = null;
    let above: Element | null = null;
    for (;;) {
      this.skip();
      if (this.text[this.at] === "_" && below === null) below = this.script();
      else if (this.text[this.at] === "^" && above === null) above = this.script();
      else break;
    }
    if (below && above) return element(base.textContent === "∑" ? "munderover" : "msubsup", base, below, above);
    if (below) return element(base.textContent === "∑" ? "munder" : "msub", base, below);
    return above ? element("msup", base, above) : base;
  }

  private script(): Element {
    this.at++;
    return this.argument();
  }

  /** `{…}`, or one atom. */
  private argument(): Element {
    this.skip();
    if (this.text[this.at] !== "{") return this.atom();
    this.at++;
    const parts = this.row();
    this.at++;
    return group(parts);
  }

  /** The text of `{…}` as it is. */
  private raw(): string {
    const end = this.text.indexOf("}", this.at);
    const inside = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return inside;
  }

  private atom(): Element {
    const letter = this.text[this.at]!;
    if (letter === "\\") return this.command();
    if (letter === "{") return this.argument();
    if (/[0-9]/.test(letter)) {
      const digits = /^[0-9.]+/.exec(this.text.slice(this.at))![0];
      this.at += digits.length;
      return element("mn", digits);
    }
    this.at++;
    const made = element(/\p{L}/u.test(letter) ? "mi" : "mo", letter);
    if ("()|".includes(letter)) made.setAttribute("stretchy", "false");
    return made;
  }

  private command(): Element {
    const name = /^\\([a-z]+)/.exec(this.text.slice(this.at))?.[1];
    if (name === undefined) throw new Error(`equation “${this.text}”: a command is missing after \\`);
    this.at += name.length + 1;
    const accent = ACCENTS[name];
    if (accent !== undefined) {
      const over = element("mover", this.argument(), element("mo", accent));
      over.setAttribute("accent", "true");
      return over;
    }
    switch (name) {
      case "frac":
        return element("mfrac", this.argument(), this.argument());
      case "sqrt":
        return element("msqrt", this.argument());
      case "text":
        return element("mtext", this.raw());
      case "fn": // an upright name: cos, atan2
        return element("mi", this.raw());
      default:
        throw new Error(`equation “${this.text}”: \\${name} is not known`);
    }
  }
}
