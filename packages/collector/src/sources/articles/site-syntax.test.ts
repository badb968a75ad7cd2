import fc from 'fast-check';
import { withoutSiteSyntax } from './site-syntax.js';

describe('the text of an article', () => {
  it.each([
    [':::tip\nUse it.\n:::\nAfter', '\n> **Tip**\n>\n> Use it.\n\nAfter'],
    ['::: warning Mind the gap\n\nText\n:::', '\n> **Mind the gap**\n>\n>\n> Text\n'],
    [':::note[A title]\nText\n:::', '\n> **A title**\n>\n> Text\n'],
    ['::::info\n:::danger\nText\n:::\nMore\n::::', '\n> **Info**\n>\n>\n> > **Danger**\n> >\n> > Text\n>\n> More\n'],
    ['!!! note "Good to know"\n    Text\n\n    more\n\nAfter', '\n> **Good to know**\n>\n> Text\n>\n> more\n>\nAfter'],
    ['> [!NOTE]\n> Text\n\n> [!Caution] Text', '> **Note**\n>\n> Text\n\n> [!Caution] Text'],
    ['```\n> [!NOTE]\n```', '```\n> [!NOTE]\n```'],
    [':::tip\n```\n:::\n{{< a >}}\n```\n:::', '\n> **Tip**\n>\n> ```\n> :::\n> {{< a >}}\n> ```\n'],
  ])('has quotes for admonitions: %j', (text, shown) => {
    expect(withoutSiteSyntax(text)).toBe(shown);
  });

  it.each([
    ['a {{< figure src="x.png" >}} b', 'a  b'],
    ['{{% note %}}\nText\n{{% /note %}}', 'Text'],
    ['{% include nav.html %}\nText', 'Text'],
    ['a\n{/* truncate */}\nText', 'a\nText'],
    ['{{< figure\n  src="x.png"\n>}}\nText', 'Text'],
    ['{% include a.html\n  url="{{ site.url }}" %}\nText', 'Text'],
    ['a\n{/*\n <A b={1} /> `{/*` hidden\n*/}\nText', 'a\nText'],
    ['{%- comment -%}hidden `a`{%- endcomment -%}\nText', 'Text'],
    ['{{ youtube(id="a") }}\nText', 'Text'],
    ['{: .no_toc }\n\n* TOC\n{:toc}\n\n[a](b){:target="_blank"} c', '\n\n[a](b) c'],
    ['{::options parse_block_html="true" /}\n# A\n{: #a}\nText', '# A\nText'],
    ["import Tabs from '@theme/Tabs';\nimport { a, b } from \"./c\"\nimport '../../articles/style.css'\n\nText", '\nText'],
  ])('has no shortcodes and imports: %j', (text, shown) => {
    expect(withoutSiteSyntax(text)).toBe(shown);
  });

  it.each([
    ['{% highlight js linenos %}', '{% endhighlight %}', 'js'],
    ['{%- highlight js -%}', '{%- endhighlight -%}', 'js'],
    ['{% codeblock lang:js A title %}', '{% endcodeblock %}', 'js'],
    ['{% codeblock %}', '{% endcodeblock %}', ''],
    ['{% highlight js %}{% raw %}', '{% endraw %}{% endhighlight %}', 'js'],
    ['{% highlight js %}\n{% raw %}', '{% endraw %}\n{% endhighlight %}', 'js'],
    ['{{< highlight js "linenos=table" >}}', '{{< /highlight >}}', 'js'],
  ])('has fences for code between %j and %j', (start, end, language) => {
    const code = "import a from 'b';\n\n# `x` {{< a >}} {/* b */}";
    for (const text of [`${start}\n${code}\n${end}\nText`, `${start}\n${code}${end} Text`])
      expect(withoutSiteSyntax(text).replace(' Text', 'Text')).toBe(`~~~~${language}\n${code}\n~~~~\nText`);
    expect(withoutSiteSyntax(`${start}\nText`)).toBe('Text');
    expect(withoutSiteSyntax(`\`\`\`\n${start}\na\n${end}\n\`\`\``)).toBe(`\`\`\`\n${start}\na\n${end}\n\`\`\``);
  });

  it.each([
    'import the file from the folder',
    'Dates: 10:::20',
    '`{{ value }}` and {{ value }}',
    "```js\nimport a from 'b';\n{% x %}\n```",
    '!!!\n\n- a\n\n    code',
    ':::',
    'Use `{% raw %}`, ``{{< a >}}`` and `{: .b}`',
    '- ```md\n  {% include a %}\n  ```\n- b',
    '{/* not closed',
    'a {:a => 1} and {: } b',
  ])('keeps %j', (text) => {
    expect(withoutSiteSyntax(text)).toBe(text === ':::' ? '' : text);
  });

  it('is not changed without such marks', () => {
    const piece = fc.constantFrom('a', ' ', '\n', '# ', '> ', '- ', '```', '`', '    ', '{', '}', ':', '!');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        fc.pre(!/:::|!!!/.test(text));
        expect(withoutSiteSyntax(text)).toBe(text);
      }),
    );
  });
});
