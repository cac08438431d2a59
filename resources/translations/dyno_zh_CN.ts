<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>Version {version}. A dynamometer for language-model inference.</source>
        <translation>版本 {version}。语言模型推理的测功机。</translation>
    </message>
    <message>
        <source>It runs variants of one model side by side, and tells which differences are real.</source>
        <translation>并排运行同一模型的多个变体，并告诉你哪些差异是真实的。</translation>
    </message>
    <message>
        <source>{name} of the engine</source>
        <translation>引擎的 {name}</translation>
    </message>
    <message>
        <source>Results and presets</source>
        <translation>结果与预设</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Apache-2.0. Type: Inter and JetBrains Mono, SIL Open Font License. Qt: LGPL 3.0.</source>
        <translation>Apache-2.0。字体：Inter 与 JetBrains Mono，SIL Open Font License。Qt：LGPL 3.0。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>AnswerColumn</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Answer of {name}</source>
        <translation>{name} 的回答</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>尚未提问</translation>
    </message>
    <message>
        <source>Failed in the last run: {why}</source>
        <translation>上次运行中失败：{why}</translation>
    </message>
    <message>
        <source>It is asked all the same.</source>
        <translation>仍会向它提问。</translation>
    </message>
</context>
<context>
    <name>Answers</name>
    <message>
        <source>differs from token {n} on</source>
        <translation>从第 {n} 个词元起不同</translation>
    </message>
    <message>
        <source>identical, {n} tokens</source>
        <translation>完全一致，{n} 个词元</translation>
    </message>
    <message>
        <source>Prompt {n}</source>
        <translation>提示词 {n}</translation>
    </message>
    <message>
        <source>Answers: {n} of {all} identical</source>
        <translation>回答：{all} 个中 {n} 个完全一致</translation>
    </message>
    <message>
        <source>lost: </source>
        <translation>变为未通过：</translation>
    </message>
    <message>
        <source>gained: </source>
        <translation>变为通过：</translation>
    </message>
    <message>
        <source>Suite: {n} of {all} pass, A {base}</source>
        <translation>测试集：通过 {n} / {all}，A {base}</translation>
    </message>
    <message>
        <source>not judged: {why}</source>
        <translation>未评估：{why}</translation>
    </message>
    <message>
        <source>passes</source>
        <translation>通过</translation>
    </message>
</context>
<context>
    <name>AnswersPane</name>
    <message>
        <source>Prompts, by how early the answers part</source>
        <translation>提示词，按回答出现分歧的早晚排序</translation>
    </message>
    <message>
        <source>The prompts, by how early the answers part; then those of the suite, by what flipped.</source>
        <translation>各提示词，按回答分歧的先后排列；其后是测试集的提示词，按结果是否改变排列。</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一条</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一条</translation>
    </message>
    <message>
        <source>Shows the answers to the prompt before in the list.</source>
        <translation>显示列表中上一条提示词的回答。</translation>
    </message>
    <message>
        <source>Shows the answers to the next prompt of the list.</source>
        <translation>显示列表中下一条提示词的回答。</translation>
    </message>
    <message>
        <source>Answer of the baseline</source>
        <translation>基线的回答</translation>
    </message>
    <message>
        <source>Answer of the variant</source>
        <translation>变体的回答</translation>
    </message>
    <message>
        <source>What the baseline answered; pale as far as both agree.</source>
        <translation>基线的回答；两者一致的部分颜色较淡。</translation>
    </message>
    <message>
        <source>What the variant answered; the word is marked in which it parts from the baseline.</source>
        <translation>变体的回答；与基线分歧之处的词被标出。</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} 个词元</translation>
    </message>
    <message>
        <source>logit margin there: {base} and {mine}</source>
        <translation>该处 logit 差：{base} 与 {mine}</translation>
    </message>
</context>
<context>
    <name>Arranged</name>
    <message>
        <source>{column}, sorted ascending</source>
        <translation>{column}，按升序排列</translation>
    </message>
    <message>
        <source>{column}, sorted descending</source>
        <translation>{column}，按降序排列</translation>
    </message>
</context>
<context>
    <name>CacheRows</name>
    <message>
        <source>Converted models</source>
        <translation>转换后的模型</translation>
    </message>
    <message>
        <source>Quality references</source>
        <translation>质量参照</translation>
    </message>
    <message>
        <source>Compiled kernels</source>
        <translation>编译好的内核</translation>
    </message>
    <message>
        <source>GGUF files are converted again at their next load, a minute or more for each.</source>
        <translation>下次加载 GGUF 文件时需重新转换，每个一分钟以上。</translation>
    </message>
    <message>
        <source>A check of quality reads the whole text with the baseline again.</source>
        <translation>检查质量时需用基线重新读取全部文本。</translation>
    </message>
    <message>
        <source>Compiled variants compile again at their next load, minutes for each.</source>
        <translation>编译过的变体下次加载时需重新编译，每个数分钟。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Clear: {cache}</source>
        <translation>清除：{cache}</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Delete {size}</source>
        <translation>删除 {size}</translation>
    </message>
    <message>
        <source>being added up…</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>Not everything could be deleted: {why}</source>
        <translation>未能全部删除：{why}</translation>
    </message>
</context>
<context>
    <name>CentralArea</name>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>Receipts</source>
        <translation>回执</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
</context>
<context>
    <name>ChartActions</name>
    <message>
        <source>Save as PNG…</source>
        <translation>另存为 PNG…</translation>
    </message>
    <message>
        <source>Save as SVG…</source>
        <translation>另存为 SVG…</translation>
    </message>
    <message>
        <source>Save data as CSV…</source>
        <translation>将数据另存为 CSV…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>View as table</source>
        <translation>以表格查看</translation>
    </message>
    <message>
        <source>Show all of it</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>SVG (*.svg)</source>
        <translation>SVG (*.svg)</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>图片已复制到剪贴板。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {why}. Choose another folder, or free some space.</source>
        <translation>无法写入 {path}：{why}。请选择其他文件夹，或释放一些空间。</translation>
    </message>
    <message>
        <source>Exported {path}</source>
        <translation>已导出 {path}</translation>
    </message>
    <message>
        <source>There is no chart in this view that could be shown as a table.</source>
        <translation>此视图中没有可以显示为表格的图表。</translation>
    </message>
</context>
<context>
    <name>ChartTable</name>
    <message>
        <source>{n} rows. Ctrl+C copies what is selected.</source>
        <translation>{n} 行。Ctrl+C 复制所选内容。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Chooser</name>
    <message>
        <source>{measure} (not measured)</source>
        <translation>{measure}（未测量）</translation>
    </message>
</context>
<context>
    <name>CloseGuard</name>
    <message>
        <source>A run is in progress.</source>
        <translation>正在运行。</translation>
    </message>
    <message>
        <source>Keep running: the window closes when the run ends. Stop and save: the run ends now; every finished trial is kept.</source>
        <translation>继续运行：运行结束后窗口自动关闭。停止并保存：立即结束运行，已完成的试次全部保留。</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation>停止并保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Columns</name>
    <message>
        <source>{column} (compared by)</source>
        <translation>{column}（对比依据）</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>TTFT ms</source>
        <translation>TTFT ms</translation>
    </message>
    <message>
        <source>ITL ms</source>
        <translation>ITL ms</translation>
    </message>
    <message>
        <source>ITL p95 ms</source>
        <translation>ITL p95 ms</translation>
    </message>
    <message>
        <source>ITL p99 ms</source>
        <translation>ITL p99 ms</translation>
    </message>
    <message>
        <source>Peak GiB</source>
        <translation>峰值 GiB</translation>
    </message>
    <message>
        <source>KL, nats</source>
        <translation>KL，nats</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>{x} pts</source>
        <translation>{x} 个百分点</translation>
    </message>
    <message>
        <source>All tok/s</source>
        <translation>总 tok/s</translation>
    </message>
    <message>
        <source>User tok/s</source>
        <translation>每用户 tok/s</translation>
    </message>
    <message>
        <source>TTFT p95 ms</source>
        <translation>TTFT p95 ms</translation>
    </message>
    <message>
        <source>E2E ms</source>
        <translation>端到端 ms</translation>
    </message>
    <message>
        <source>E2E p95 ms</source>
        <translation>端到端 p95 ms</translation>
    </message>
    <message>
        <source>Queue ms</source>
        <translation>排队 ms</translation>
    </message>
    <message>
        <source>Requests/s</source>
        <translation>请求/s</translation>
    </message>
</context>
<context>
    <name>ColumnsPanel</name>
    <message>
        <source>Differences from the reference</source>
        <translation>与参照的差值</translation>
    </message>
    <message>
        <source>Find a column</source>
        <translation>查找列</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Reset columns</source>
        <translation>重置列</translation>
    </message>
</context>
<context>
    <name>CompareCharts</name>
    <message>
        <source>Measure of the bars</source>
        <translation>条形图的指标</translation>
    </message>
    <message>
        <source>The figure that the bars show; memory with what it is made of.</source>
        <translation>条形所示的指标；内存会按其组成显示。</translation>
    </message>
    <message>
        <source>Measure of the vertical axis</source>
        <translation>纵轴指标</translation>
    </message>
    <message>
        <source>What a variant gains: how high its mark stands.</source>
        <translation>变体的收益：标记的高度。</translation>
    </message>
    <message>
        <source>Measure of the horizontal axis</source>
        <translation>横轴指标</translation>
    </message>
    <message>
        <source>What it costs: how far right the mark stands.</source>
        <translation>代价：标记向右的距离。</translation>
    </message>
    <message>
        <source>Inter-token latency</source>
        <translation>词元间延迟</translation>
    </message>
    <message>
        <source>ms, share of tokens</source>
        <translation>ms，词元占比</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>{y} against {x}</source>
        <translation>{y} 与 {x}</translation>
    </message>
    <message>
        <source>line: Pareto front</source>
        <translation>连线：帕累托前沿</translation>
    </message>
    <message>
        <source>95 % interval of each variant&apos;s own rounds; the table&apos;s are of ratios within rounds, and narrower</source>
        <translation>各变体自身轮次的 95% 区间；表格中是同轮比值的区间，更窄</translation>
    </message>
</context>
<context>
    <name>CompareGhost</name>
    <message>
        <source>A comparison appears here when the first trials end.</source>
        <translation>首批试次结束后，这里显示对比结果。</translation>
    </message>
    <message>
        <source>Every variant runs once per round; its speed is compared with A&apos;s in the same round.</source>
        <translation>每个变体每轮运行一次，其速度与同一轮中 A 的速度比较。</translation>
    </message>
    <message>
        <source>How to read a result</source>
        <translation>如何读懂结果</translation>
    </message>
    <message>
        <source>These figures are made up.</source>
        <translation>这些数字是虚构的。</translation>
    </message>
</context>
<context>
    <name>CompareOptions</name>
    <message>
        <source>{name} keeps its last trial: without it there is nothing to compare.</source>
        <translation>{name} 保留最后一个试次：没有它就无从比较。</translation>
    </message>
</context>
<context>
    <name>CompareToolbar</name>
    <message>
        <source>Compare by</source>
        <translation>对比依据</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>对比对象</translation>
    </message>
    <message>
        <source>The figure that variants are compared by; verdicts, forest and sentence follow.</source>
        <translation>用来比较变体的指标；判定、森林图和句子随之改变。</translation>
    </message>
    <message>
        <source>The variant that all others are compared with.</source>
        <translation>其他所有变体与之比较的变体。</translation>
    </message>
    <message>
        <source>Filter by name, recipe, verdict, status</source>
        <translation>按名称、配方、判定、状态筛选</translation>
    </message>
    <message>
        <source>Filter variants</source>
        <translation>筛选变体</translation>
    </message>
    <message>
        <source>Shows only variants with these words in their name, recipe, verdict or status.</source>
        <translation>只显示名称、配方、判定或状态含有这些词的变体。</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试次</translation>
    </message>
    <message>
        <source>Show single trials</source>
        <translation>显示各试次</translation>
    </message>
    <message>
        <source>Each trial with its figures and flags; one can be left out of the figures</source>
        <translation>每个试次的数值和标记；可将某个排除在统计之外</translation>
    </message>
    <message>
        <source>Shows single trials instead of variants, and the variants again.</source>
        <translation>显示单个试次而非变体，再按则恢复。</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Choose columns</source>
        <translation>选择列</translation>
    </message>
    <message>
        <source>Which figures the table has; each says how it is computed.</source>
        <translation>表中有哪些指标；每个都说明如何计算。</translation>
    </message>
    <message>
        <source>vs.</source>
        <translation>对</translation>
    </message>
    <message>
        <source>{measure} (not measured)</source>
        <translation>{measure}（未测量）</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} / {all}</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Load curve</source>
        <translation>负载曲线</translation>
    </message>
    <message>
        <source>Throughput and latency of all runs of this sweep over the load</source>
        <translation>此次负载扫描所有运行的吞吐和延迟</translation>
    </message>
    <message>
        <source>Opens the load curve of the sweep that this run belongs to.</source>
        <translation>打开此运行所属扫描的负载曲线。</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>every run against its own reference: runs share no round</source>
        <translation>每次运行各对其自身的参照：不同运行没有共同的轮次</translation>
    </message>
    <message>
        <source>{run} has no {name}</source>
        <translation>{run} 中没有 {name}</translation>
    </message>
</context>
<context>
    <name>ComparisonModel</name>
    <message>
        <source>About {n} rounds would likely settle it.</source>
        <translation>大约 {n} 轮可能得出结论。</translation>
    </message>
    <message>
        <source>{n} tok/s per request</source>
        <translation>每个请求 {n} tok/s</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>{measure} from {letter}</source>
        <translation>{measure}（与 {letter} 之差）</translation>
    </message>
    <message>
        <source>{measure} vs. {letter}</source>
        <translation>{measure}（对 {letter}）</translation>
    </message>
    <message>
        <source>Speed vs. {letter}</source>
        <translation>速度（对 {letter}）</translation>
    </message>
    <message>
        <source>Aggregate speed vs. {letter}</source>
        <translation>总速度（对 {letter}）</translation>
    </message>
    <message>
        <source>Decode speed vs. {letter}</source>
        <translation>解码速度（对 {letter}）</translation>
    </message>
    <message>
        <source>nats per token</source>
        <translation>nats/词元</translation>
    </message>
    <message>
        <source>◂ better   worse ▸</source>
        <translation>◂ 更好   更差 ▸</translation>
    </message>
    <message>
        <source>◂ worse   better ▸</source>
        <translation>◂ 更差   更好 ▸</translation>
    </message>
    <message>
        <source>◂ slower   faster ▸</source>
        <translation>◂ 更慢   更快 ▸</translation>
    </message>
</context>
<context>
    <name>CurveThread</name>
    <message>
        <source>Reading the runs of a sweep</source>
        <translation>正在读取扫描的各次运行</translation>
    </message>
</context>
<context>
    <name>DivergencePlot</name>
    <message>
        <source>KL divergence of the tokens: share of tokens</source>
        <translation>各词元的 KL 散度：词元占比</translation>
    </message>
    <message>
        <source>KL divergence at most (nats)</source>
        <translation>KL 散度不超过 (nats)</translation>
    </message>
    <message>
        <source>% of tokens</source>
        <translation>词元占比 %</translation>
    </message>
    <message>
        <source>≤ {kld} nats</source>
        <translation>≤ {kld} nats</translation>
    </message>
    <message>
        <source>{letter} {share} %</source>
        <translation>{letter} {share}%</translation>
    </message>
</context>
<context>
    <name>Doing</name>
    <message>
        <source>about {time} left of this step</source>
        <translation>此步约剩 {time}</translation>
    </message>
    <message>
        <source>pass {n}</source>
        <translation>第 {n} 遍</translation>
    </message>
    <message>
        <source>{n} of {all} tokens</source>
        <translation>{n} / {all} 个词元</translation>
    </message>
    <message>
        <source>{n} of {all} answers</source>
        <translation>{n} / {all} 个回答</translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation>约剩 {time}</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>第 {n} 个，共 {all} 个</translation>
    </message>
    <message>
        <source>about {time} until the first round</source>
        <translation>距第一轮约 {time}</translation>
    </message>
</context>
<context>
    <name>Draft</name>
    <message>
        <source>A run is in progress: open it when the run is over.</source>
        <translation>正在运行：请在运行结束后再打开。</translation>
    </message>
</context>
<context>
    <name>DropFrame</name>
    <message>
        <source>Open as results</source>
        <translation>作为结果打开</translation>
    </message>
    <message>
        <source>Open as experiment</source>
        <translation>作为实验打开</translation>
    </message>
    <message>
        <source>Open as preset</source>
        <translation>作为预设打开</translation>
    </message>
    <message>
        <source>Look at as prompts</source>
        <translation>作为提示词查看</translation>
    </message>
    <message>
        <source>Open as model</source>
        <translation>作为模型打开</translation>
    </message>
</context>
<context>
    <name>EngineCheck</name>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Check the engine command</source>
        <translation>检查引擎命令</translation>
    </message>
    <message>
        <source>An engine starts; that takes some seconds.</source>
        <translation>正在启动引擎，需要数秒。</translation>
    </message>
    <message>
        <source>It answers, and lacks {packages}: no model can be loaded with it.</source>
        <translation>引擎有响应，但缺少 {packages}：无法用它加载模型。</translation>
    </message>
    <message>
        <source>{versions}; {device}, {n} threads</source>
        <translation>{versions}；{device}，{n} 个线程</translation>
    </message>
</context>
<context>
    <name>EngineShutdown</name>
    <message>
        <source>Ending the engines</source>
        <translation>正在结束引擎</translation>
    </message>
    <message>
        <source>measuring what that gives back</source>
        <translation>正在测量释放的内存</translation>
    </message>
</context>
<context>
    <name>EnvironmentDialog</name>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>重新测量</translation>
    </message>
    <message>
        <source>Reads memory and multiplies for some seconds; nothing else should run.</source>
        <translation>读取内存并做乘法，用时数秒；期间不应运行其他程序。</translation>
    </message>
    <message>
        <source>In the way of measuring here</source>
        <translation>妨碍在此测量的因素</translation>
    </message>
    <message>
        <source>Measured on this machine</source>
        <translation>本机实测</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Measure now</source>
        <translation>立即测量</translation>
    </message>
    <message>
        <source>Being measured: some seconds, up to a minute.</source>
        <translation>正在测量：数秒到一分钟。</translation>
    </message>
    <message>
        <source>Not while a run goes on: both would be slower.</source>
        <translation>运行期间不可用：两者都会变慢。</translation>
    </message>
    <message>
        <source>Not now: {work}. Both would be slower.</source>
        <translation>暂不可用：{work}。两者都会变慢。</translation>
    </message>
    <message>
        <source>Not measured yet: the first run does it, before its first load.</source>
        <translation>尚未测量：首次运行会在加载前测量。</translation>
    </message>
    <message>
        <source>Others used {x:.0f} % of a core meanwhile: the figures are too low.</source>
        <translation>期间其他进程占用单核 {x:.0f}%：数值偏低。</translation>
    </message>
    <message>
        <source>An engine is being asked.</source>
        <translation>正在询问引擎。</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>没有发现。</translation>
    </message>
</context>
<context>
    <name>Events</name>
    <message>
        <source>Run started: until ±{x} %, at most {n} rounds</source>
        <translation>运行开始：直到 ±{x}%，最多 {n} 轮</translation>
    </message>
    <message>
        <source>Run started: 1 round</source>
        <translation>运行开始：1 轮</translation>
    </message>
    <message>
        <source>Run started: {n} rounds</source>
        <translation>运行开始：{n} 轮</translation>
    </message>
    <message>
        <source>Run goes on in a new session: {n} rounds of {variants}, from round {first} on</source>
        <translation>运行在新的会话中继续：{variants} 的 {n} 轮，从第 {first} 轮起</translation>
    </message>
    <message>
        <source>Run goes on</source>
        <translation>运行继续</translation>
    </message>
    <message>
        <source>Paused; the engines stay loaded</source>
        <translation>已暂停；引擎保持加载</translation>
    </message>
    <message>
        <source>Engine started, pid {pid}, Python {python}</source>
        <translation>引擎已启动，pid {pid}，Python {python}</translation>
    </message>
    <message>
        <source>Engines take turns: {why}</source>
        <translation>引擎轮流运行：{why}</translation>
    </message>
    <message>
        <source>Loaded in {time}: weights {size}, {dtype} on {device}</source>
        <translation>加载用时 {time}：权重 {size}，{dtype}，位于 {device}</translation>
    </message>
    <message>
        <source>Warm-up steady after {n} passes</source>
        <translation>预热 {n} 遍后稳定</translation>
    </message>
    <message>
        <source>Not steady after {n} passes of warm-up</source>
        <translation>预热 {n} 遍后仍未稳定</translation>
    </message>
    <message>
        <source>Not in effect as requested: {what}</source>
        <translation>未按请求生效：{what}</translation>
    </message>
    <message>
        <source>Receipts: {n} of {n} as requested</source>
        <translation>回执：{n} 项全部与请求一致</translation>
    </message>
    <message>
        <source>Round {n} measured</source>
        <translation>第 {n} 轮已测量</translation>
    </message>
    <message>
        <source>Engine ended: {held} held, {back} more were free afterwards (±{noise} by themselves)</source>
        <translation>引擎已退出：占用 {held}，退出后空闲内存增加 {back}（自身波动 ±{noise}）</translation>
    </message>
    <message>
        <source>The machine reads {bandwidth}; the roof was measured in {time}</source>
        <translation>本机读取带宽 {bandwidth}；屋顶线测量用时 {time}</translation>
    </message>
    <message>
        <source>{text}, beside others</source>
        <translation>{text}（有其他进程干扰）</translation>
    </message>
    <message>
        <source>Read {n} tokens, for the others to be compared with</source>
        <translation>已读取 {n} 个词元，作为其他变体的参照</translation>
    </message>
    <message>
        <source>Quality judged on {n} tokens</source>
        <translation>已在 {n} 个词元上评估质量</translation>
    </message>
    <message>
        <source>{n} answers to the suite</source>
        <translation>测试集的 {n} 个回答</translation>
    </message>
    <message>
        <source>{n} answers, to be compared with the baseline&apos;s</source>
        <translation>{n} 个回答，供与基线比较</translation>
    </message>
    <message>
        <source>Suite {name}: {n} of {all} pass</source>
        <translation>测试集 {name}：{all} 题通过 {n} 题</translation>
    </message>
    <message>
        <source>Run ended: {status}, 1 round</source>
        <translation>运行结束：{status}，1 轮</translation>
    </message>
    <message>
        <source>Run ended: {status}, {n} rounds</source>
        <translation>运行结束：{status}，{n} 轮</translation>
    </message>
</context>
<context>
    <name>ExcludedTrialsBar</name>
    <message>
        <source>Count all trials</source>
        <translation>计入全部试次</translation>
    </message>
    <message>
        <source>Takes the trials that were left out back into the figures.</source>
        <translation>把被排除的试次重新计入数值。</translation>
    </message>
    <message>
        <source>{name}, round {rounds}</source>
        <translation>{name}，第 {rounds} 轮</translation>
    </message>
    <message>
        <source>Left out of these figures: {which}. Nothing is deleted; exports hold every trial.</source>
        <translation>未计入这些数值：{which}。没有删除任何内容；导出文件包含每个试次。</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Nothing has been measured yet: there is nothing to export.</source>
        <translation>尚未测量，没有可导出的内容。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {why}. Choose another folder, or free some space.</source>
        <translation>无法写入 {path}：{why}。请选择其他文件夹，或释放一些空间。</translation>
    </message>
    <message>
        <source>Exported {path}</source>
        <translation>已导出 {path}</translation>
    </message>
    <message>
        <source>Tab-separated text (*.tsv)</source>
        <translation>制表符分隔文本 (*.tsv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML 页面 (*.html)</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Nothing has been measured yet: there is nothing to copy.</source>
        <translation>尚未测量，没有可复制的内容。</translation>
    </message>
    <message>
        <source>Report as HTML…</source>
        <translation>HTML 报告…</translation>
    </message>
    <message>
        <source>Comparison as CSV…</source>
        <translation>对比结果 CSV…</translation>
    </message>
    <message>
        <source>Metrics as CSV, long form…</source>
        <translation>指标 CSV（长格式）…</translation>
    </message>
    <message>
        <source>Comparison as TSV…</source>
        <translation>对比结果 TSV…</translation>
    </message>
    <message>
        <source>Trials as CSV…</source>
        <translation>试次 CSV…</translation>
    </message>
    <message>
        <source>Comparison as JSON…</source>
        <translation>对比结果 JSON…</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
</context>
<context>
    <name>Facts</name>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>{name}: {value}</source>
        <translation>{name}：{value}</translation>
    </message>
</context>
<context>
    <name>FileActions</name>
    <message>
        <source>Open a model folder</source>
        <translation>打开模型文件夹</translation>
    </message>
    <message>
        <source>Open a GGUF file</source>
        <translation>打开 GGUF 文件</translation>
    </message>
    <message>
        <source>GGUF (*.gguf)</source>
        <translation>GGUF (*.gguf)</translation>
    </message>
    <message>
        <source>Open results</source>
        <translation>打开结果</translation>
    </message>
    <message>
        <source>The rest of {name} was not read: only its first rounds are shown. Open it again for all.</source>
        <translation>{name} 的其余部分未读取：只显示前几轮。重新打开可查看全部。</translation>
    </message>
    <message>
        <source>Results appear here</source>
        <translation>结果显示在这里</translation>
    </message>
    <message>
        <source>Open an experiment</source>
        <translation>打开实验</translation>
    </message>
    <message>
        <source>Experiments (*.toml)</source>
        <translation>实验 (*.toml)</translation>
    </message>
    <message>
        <source>Save the experiment</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>{path} cannot be written: {why}</source>
        <translation>无法写入 {path}：{why}</translation>
    </message>
    <message>
        <source>Saved {path}</source>
        <translation>已保存 {path}</translation>
    </message>
    <message>
        <source>The table is on the clipboard, tab-separated.</source>
        <translation>表格已复制到剪贴板，以制表符分隔。</translation>
    </message>
</context>
<context>
    <name>Forest</name>
    <message>
        <source> times</source>
        <translation> 倍</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 至 {high}</translation>
    </message>
    <message>
        <source>Provisional: speed vs. A</source>
        <translation>暂定：速度（对 A）</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>speed (×)</source>
        <translation>速度 (×)</translation>
    </message>
    <message>
        <source>95 % low (×)</source>
        <translation>95% 下限 (×)</translation>
    </message>
    <message>
        <source>95 % high (×)</source>
        <translation>95% 上限 (×)</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>noisy</source>
        <translation>有干扰</translation>
    </message>
</context>
<context>
    <name>Form</name>
    <message>
        <source>Has an effect only where {field} is: {value}</source>
        <translation>只有“{field}”为“{value}”时才起作用</translation>
    </message>
</context>
<context>
    <name>FormulasDialog</name>
    <message>
        <source>What the numbers mean</source>
        <translation>数字的含义</translation>
    </message>
    <message>
        <source>As defined by</source>
        <translation>定义来源</translation>
    </message>
    <message>
        <source>Dyno: the columns of the CSV files</source>
        <translation>Dyno：CSV 文件的各列</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>nothing was measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
</context>
<context>
    <name>GhostForest</name>
    <message>
        <source>How to read a result</source>
        <translation>如何读懂结果</translation>
    </message>
    <message>
        <source>Dot: best estimate. Bar: 95 % interval. A bar that crosses 1×: no claim is made.</source>
        <translation>圆点：最佳估计。横条：95% 区间。横条跨过 1×：不下结论。</translation>
    </message>
    <message>
        <source>1.68× faster</source>
        <translation>速度 1.68 倍</translation>
    </message>
    <message>
        <source>dot: best estimate. bar: 95 % interval</source>
        <translation>圆点：最佳估计；横条：95% 区间</translation>
    </message>
    <message>
        <source>not distinguishable</source>
        <translation>无法区分</translation>
    </message>
    <message>
        <source>bar crosses 1×: no claim is made</source>
        <translation>横条跨过 1×：不下结论</translation>
    </message>
    <message>
        <source>1× = baseline</source>
        <translation>1× = 基线</translation>
    </message>
</context>
<context>
    <name>GhostTimeline</name>
    <message>
        <source>How to read a timeline</source>
        <translation>如何阅读时间线</translation>
    </message>
    <message>
        <source>From the left: waiting, reading the prompt, then a bar for each step. A tall bar is a step that yielded several tokens, its pale part are accepted drafts. A flag is a decision of the engine.</source>
        <translation>从左到右：等待、读取提示词，然后每一步一根条。较高的条是一步产出多个词元，浅色部分是被接受的草稿。旗标是引擎作出的决定。</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>one step, one token</source>
        <translation>一步，一个词元</translation>
    </message>
    <message>
        <source>accepted drafts, pale</source>
        <translation>被接受的草稿（浅色）</translation>
    </message>
    <message>
        <source>a decision: drafts were given up</source>
        <translation>一次决定：放弃草稿</translation>
    </message>
    <message>
        <source>This one is made up.</source>
        <translation>此例为虚构。</translation>
    </message>
</context>
<context>
    <name>Grip</name>
    <message>
        <source>Drag to the other side; right click for more.</source>
        <translation>可拖到另一侧；右键查看更多。</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>When it pays</source>
        <translation>何时有效</translation>
    </message>
    <message>
        <source>When it does not</source>
        <translation>何时无效</translation>
    </message>
    <message>
        <source>Greedy answers in fp32 equal the baseline&apos;s, token for token.</source>
        <translation>fp32 下的贪心回答与基线逐词元一致。</translation>
    </message>
    <message>
        <source>Answers may differ from the baseline&apos;s: check quality.</source>
        <translation>回答可能与基线不同：请检查质量。</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Not available: {why}.</source>
        <translation>不可用：{why}。</translation>
    </message>
    <message>
        <source>Works.</source>
        <translation>可用。</translation>
    </message>
    <message>
        <source>On this machine</source>
        <translation>在本机上</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>In the same slot</source>
        <translation>同一槽位</translation>
    </message>
    <message>
        <source>What shows its effect</source>
        <translation>体现效果的指标</translation>
    </message>
    <message>
        <source>In a file</source>
        <translation>在文件中</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>none: a count, a ratio or words</source>
        <translation>无：计数、比值或文字</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Computed from</source>
        <translation>计算来源</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
</context>
<context>
    <name>HelpWindow</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Search the documentation</source>
        <translation>搜索文档</translation>
    </message>
    <message>
        <source>Entries</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>No entry has these words.</source>
        <translation>没有包含这些词的条目。</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>说明</translation>
    </message>
</context>
<context>
    <name>Histogram</name>
    <message>
        <source>{low} and more</source>
        <translation>{low} 及以上</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 至 {high}</translation>
    </message>
</context>
<context>
    <name>HubDialog</name>
    <message>
        <source>Open from the hub cache</source>
        <translation>从 Hub 缓存打开</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Models in the hub&apos;s local cache</source>
        <translation>Hub 本地缓存中的模型</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Runs here</source>
        <translation>本机可运行</translation>
    </message>
    <message>
        <source>There is no model in the cache.</source>
        <translation>缓存中没有模型。</translation>
    </message>
    <message>
        <source>Looking at {folder}</source>
        <translation>正在查看 {folder}</translation>
    </message>
    <message>
        <source>Open by name…</source>
        <translation>按名称打开…</translation>
    </message>
    <message>
        <source>Open model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>{folder}. Dyno downloads nothing; a model that is not here comes with hf download.</source>
        <translation>{folder}。Dyno 不会下载任何内容；这里没有的模型可用 hf download 获取。</translation>
    </message>
    <message>
        <source>{folder}. Dyno downloads nothing; hf download puts a model there.</source>
        <translation>{folder}。Dyno 不下载任何内容；用 hf download 可把模型放到那里。</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Precision reached</source>
        <translation>已达到的精度</translation>
    </message>
    <message>
        <source>Asks how many rounds to add, where the speed of a variant is undecided.</source>
        <translation>当某个变体的速度未能判定时，询问要追加多少轮。</translation>
    </message>
    <message>
        <source>Provisional: speed vs. A</source>
        <translation>暂定：速度（对 A）</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>运行条件</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Receipt: requested → effective</source>
        <translation>回执：请求 → 生效</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测量值</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>1 full round so far.</source>
        <translation>目前完成 1 整轮。</translation>
    </message>
    <message>
        <source>{n} full rounds so far.</source>
        <translation>目前完成 {n} 整轮。</translation>
    </message>
    <message>
        <source>No verdict is shown before round 4.</source>
        <translation>第 4 轮之前不显示判定。</translation>
    </message>
    <message>
        <source>over ±{x}</source>
        <translation>超出 ±{x}</translation>
    </message>
    <message>
        <source>{x} %, margin ±{m} %</source>
        <translation>{x}%，容差 ±{m}%</translation>
    </message>
    <message>
        <source>Widest interval</source>
        <translation>最宽区间</translation>
    </message>
    <message>
        <source>An interval wider than the margin can settle only large differences.</source>
        <translation>区间宽于容差时，只能判定较大的差异。</translation>
    </message>
    <message>
        <source>Measured on</source>
        <translation>测量环境</translation>
    </message>
</context>
<context>
    <name>InterruptedBar</name>
    <message>
        <source>Continue run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>不再提示</translation>
    </message>
    <message>
        <source>Opens the results, and measures the rounds that are missing beside them.</source>
        <translation>打开结果，并在其旁测量缺少的轮次。</translation>
    </message>
    <message>
        <source>Shows what was measured until then.</source>
        <translation>显示到那时为止测量的内容。</translation>
    </message>
    <message>
        <source>Says it no more. The results stay where they are, among the recent ones.</source>
        <translation>不再提示。结果留在原处，可在最近的结果中找到。</translation>
    </message>
    <message>
        <source>Its model is not in its place any more: put it back to go on.</source>
        <translation>其模型已不在原处：放回后才能继续。</translation>
    </message>
    <message>
        <source>A run was interrupted before its first round was whole</source>
        <translation>一次运行在第一轮完成前被中断</translation>
    </message>
    <message>
        <source>A run was interrupted after round {n} of {all}</source>
        <translation>一次运行在第 {n} 轮（共 {all} 轮）后被中断</translation>
    </message>
    <message>
        <source>A run was interrupted after round {n}</source>
        <translation>一次运行在第 {n} 轮后被中断</translation>
    </message>
    <message>
        <source>1 variant</source>
        <translation>1 个变体</translation>
    </message>
    <message>
        <source>{n} variants</source>
        <translation>{n} 个变体</translation>
    </message>
    <message>
        <source>And {n} more.</source>
        <translation>另有 {n} 次。</translation>
    </message>
    <message>
        <source>{what}: {model}, {variants}, {when}.</source>
        <translation>{what}：{model}，{variants}，{when}。</translation>
    </message>
</context>
<context>
    <name>JobBar</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Ends it at once.</source>
        <translation>立即结束。</translation>
    </message>
    <message>
        <source>Ends the work that is shown beside it.</source>
        <translation>结束旁边所示的工作。</translation>
    </message>
</context>
<context>
    <name>LanesLayer</name>
    <message>
        <source>prompt</source>
        <translation>预填充</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>The language can be switched once the run has ended.</source>
        <translation>运行结束后才能切换语言。</translation>
    </message>
</context>
<context>
    <name>LanguageButton</name>
    <message>
        <source>Language of the window</source>
        <translation>窗口语言</translation>
    </message>
    <message>
        <source>Switches the language of the window; not during a run.</source>
        <translation>切换窗口的语言；运行期间不可。</translation>
    </message>
</context>
<context>
    <name>LanguageMenu</name>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
</context>
<context>
    <name>LatencyPlot</name>
    <message>
        <source>Inter-token latency: share of tokens</source>
        <translation>词元间延迟：词元占比</translation>
    </message>
    <message>
        <source>share of tokens (%)</source>
        <translation>词元占比 (%)</translation>
    </message>
    <message>
        <source>{letter} {share} %</source>
        <translation>{letter} {share}%</translation>
    </message>
</context>
<context>
    <name>LayerMap</name>
    <message>
        <source>Layer map</source>
        <translation>层图</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>class</source>
        <translation>类</translation>
    </message>
    <message>
        <source>layer {n}: {part} is {kind}</source>
        <translation>第 {n} 层：{part} 是 {kind}</translation>
    </message>
    <message>
        <source>{kind}: {n}, as loaded</source>
        <translation>{kind}：{n}，原样</translation>
    </message>
</context>
<context>
    <name>LiveChartData</name>
    <message>
        <source>trial</source>
        <translation>试次</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>time (s)</source>
        <translation>时间 (s)</translation>
    </message>
    <message>
        <source>throughput (tok/s)</source>
        <translation>吞吐 (tok/s)</translation>
    </message>
    <message>
        <source>inter-token, warm-up</source>
        <translation>词元间，预热</translation>
    </message>
    <message>
        <source>inter-token</source>
        <translation>词元间</translation>
    </message>
    <message>
        <source>time to first token</source>
        <translation>首 Token 延迟</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>latency (ms)</source>
        <translation>延迟 (ms)</translation>
    </message>
    <message>
        <source>weights, KV and activations</source>
        <translation>权重、KV 与激活</translation>
    </message>
    <message>
        <source>weights, KV and other</source>
        <translation>权重、KV 与其他</translation>
    </message>
    <message>
        <source>resident set</source>
        <translation>常驻内存</translation>
    </message>
    <message>
        <source>allocated on the device</source>
        <translation>设备上已分配</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>weights and KV</source>
        <translation>权重与 KV</translation>
    </message>
    <message>
        <source>what</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>memory (GiB)</source>
        <translation>内存 (GiB)</translation>
    </message>
</context>
<context>
    <name>LivePlots</name>
    <message>
        <source>Throughput</source>
        <translation>吞吐</translation>
    </message>
    <message>
        <source>tok/s, 250 ms windows</source>
        <translation>tok/s，250 ms 窗口</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>ms, logarithmic · one point per token, large mark: time to first token</source>
        <translation>ms，对数 · 每点一个词元，大标记：首 Token 延迟</translation>
    </message>
    <message>
        <source>GiB, resident set of the engine</source>
        <translation>GiB，引擎常驻内存</translation>
    </message>
    <message>
        <source>dashed: allocated on the device</source>
        <translation>虚线：设备上已分配</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>from below: weights, KV, {rest}</source>
        <translation>自下而上：权重、KV、{rest}</translation>
    </message>
    <message>
        <source>capacity {size} GiB</source>
        <translation>容量 {size} GiB</translation>
    </message>
    <message>
        <source>GiB allocated</source>
        <translation>GiB 已分配</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>不计入</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
</context>
<context>
    <name>LiveView</name>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Resume live view</source>
        <translation>恢复实时视图</translation>
    </message>
    <message>
        <source>Shows the run as it is now; nothing was lost while the view was held.</source>
        <translation>显示运行的当前状态；视图停住期间没有丢失任何内容。</translation>
    </message>
    <message>
        <source>Last 40 s</source>
        <translation>最近 40 秒</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>Time shown in the plots</source>
        <translation>图中显示的时间</translation>
    </message>
    <message>
        <source>The last seconds, or the run from its beginning.</source>
        <translation>最近若干秒，或从头开始的整个运行。</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>Generated text</source>
        <translation>生成的文本</translation>
    </message>
    <message>
        <source>What the variant writes that is measured now.</source>
        <translation>正在测量的变体所写的内容。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Live view paused</source>
        <translation>实时视图已暂停</translation>
    </message>
    <message>
        <source>Live view {hz} Hz</source>
        <translation>实时视图 {hz} Hz</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>The plots show an earlier time; this lets them follow the run again.</source>
        <translation>图表显示的是较早的时间；按此重新跟随运行。</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>回到实时</translation>
    </message>
    <message>
        <source>Back to the whole</source>
        <translation>回到全程</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>已冻结</translation>
    </message>
    <message>
        <source>An earlier time</source>
        <translation>较早的时间</translation>
    </message>
    <message>
        <source>Press Run: every variant is measured in turn, and the plots fill here.</source>
        <translation>点击“运行”：依次测量每个变体，图表在此更新。</translation>
    </message>
    <message>
        <source>interleaved, random order per round</source>
        <translation>交错进行，每轮随机排序</translation>
    </message>
    <message>
        <source>{prompt} tokens in, {new} out</source>
        <translation>输入 {prompt} 个词元，输出 {new} 个</translation>
    </message>
    <message>
        <source>{n} requests at once</source>
        <translation>{n} 个并发请求</translation>
    </message>
    <message>
        <source>being cancelled</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <source>the engines stay loaded</source>
        <translation>引擎保持加载</translation>
    </message>
    <message>
        <source>answers of {n} of {all} variants</source>
        <translation>回答：{all} 个变体中的 {n} 个</translation>
    </message>
    <message>
        <source>quality of {n} of {all} variants</source>
        <translation>质量：{all} 个变体中的 {n} 个</translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation>约剩 {time}</translation>
    </message>
    <message>
        <source>widest interval ±{now} % of ±{goal} %, {time}</source>
        <translation>最宽区间 ±{now}%，目标 ±{goal}%，{time}</translation>
    </message>
    <message>
        <source>{time}, then quality</source>
        <translation>{time}，随后评估质量</translation>
    </message>
    <message>
        <source>of the latest trial</source>
        <translation>最近一次试次</translation>
    </message>
    <message>
        <source>token {n} of {all}</source>
        <translation>词元 {n} / {all}</translation>
    </message>
    <message>
        <source>, {n} requests; the newest one&apos;s text</source>
        <translation>，{n} 个请求；显示最新一个的文本</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>{how}, seed {seed}</source>
        <translation>{how}，种子 {seed}</translation>
    </message>
    <message>
        <source>waiting for a trial</source>
        <translation>等待试次</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>not in this run</source>
        <translation>不在此次运行中</translation>
    </message>
    <message>
        <source>warming up, not counted</source>
        <translation>预热中，不计入</translation>
    </message>
</context>
<context>
    <name>LoadCurveDialog</name>
    <message>
        <source>Load curve</source>
        <translation>负载曲线</translation>
    </message>
    <message>
        <source>The runs of this sweep are being read.</source>
        <translation>正在读取此次扫描的各次运行。</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{n} of {all} loads are measured. The figure beside a mark is the load ({field}), the thin lines through it are 95 % intervals over the rounds.</source>
        <translation>{all} 个负载已测 {n} 个。标记旁的数字是负载（{field}），穿过标记的细线是各轮之间的 95% 区间。</translation>
    </message>
    <message>
        <source>the best is below at the right</source>
        <translation>右下方最好</translation>
    </message>
    <message>
        <source>{measure} (too few requests)</source>
        <translation>{measure}（请求太少）</translation>
    </message>
    <message>
        <source>{y} against {x}</source>
        <translation>{y} 与 {x}</translation>
    </message>
</context>
<context>
    <name>LoadPlot</name>
    <message>
        <source>Latency against throughput</source>
        <translation>延迟与吞吐</translation>
    </message>
    <message>
        <source>95 % low</source>
        <translation>95% 下限</translation>
    </message>
    <message>
        <source>95 % high</source>
        <translation>95% 上限</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
</context>
<context>
    <name>LoadSweepDialog</name>
    <message>
        <source>Sweep the load</source>
        <translation>扫描负载</translation>
    </message>
    <message>
        <source>One run for each value, all of them one after the other from the run queue. Together they make a curve: how latency grows with throughput.</source>
        <translation>每个取值一次运行，由运行队列逐个执行。合起来是一条曲线：延迟如何随吞吐增长。</translation>
    </message>
    <message>
        <source>2, 4, 8   or   2..16 step 2</source>
        <translation>2, 4, 8   或   2..16 step 2</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>Runs that this makes, and values that are refused</source>
        <translation>由此生成的运行，以及被拒绝的取值</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Add 1 run to the queue</source>
        <translation>将 1 次运行加入队列</translation>
    </message>
    <message>
        <source>Add {n} runs to the queue</source>
        <translation>将 {n} 次运行加入队列</translation>
    </message>
</context>
<context>
    <name>LogModel</name>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>事件</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>All events</source>
        <translation>全部事件</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Least level that is shown</source>
        <translation>显示的最低级别</translation>
    </message>
    <message>
        <source>Shows every event, or only those that are as grave as this.</source>
        <translation>显示所有事件，或只显示达到此级别的事件。</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Text that a line must contain</source>
        <translation>行中须包含的文本</translation>
    </message>
    <message>
        <source>Shows only lines with this text, in their details too.</source>
        <translation>只显示含有此文本的行，也在详情中查找。</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>复制日志</translation>
    </message>
    <message>
        <source>Copies the lines that are shown, with their details.</source>
        <translation>复制所显示的行及其详情。</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>A line an event: when, how grave, of which variant. The chosen one shows its details below.</source>
        <translation>每个事件一行：时间、级别、变体。选中的行在下方显示详情。</translation>
    </message>
    <message>
        <source>Details of the chosen line</source>
        <translation>所选行的详情</translation>
    </message>
    <message>
        <source>All that is known of the chosen line; a traceback stands only here.</source>
        <translation>所选行的全部信息；回溯只在这里显示。</translation>
    </message>
</context>
<context>
    <name>Machine</name>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>{n} cores</source>
        <translation>{n} 核</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Cores / threads</source>
        <translation>核心 / 线程</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令集</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>C++ compiler</source>
        <translation>C++ 编译器</translation>
    </message>
    <message>
        <source>none: no compilation</source>
        <translation>无：不能编译</translation>
    </message>
    <message>
        <source>{all}, {free} free</source>
        <translation>{all}，可用 {free}</translation>
    </message>
</context>
<context>
    <name>MachineDock</name>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Available strategies</source>
        <translation>可用策略</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>An engine is being asked what works here.</source>
        <translation>正在向引擎询问本机支持哪些策略。</translation>
    </message>
    <message>
        <source>Results appear here.</source>
        <translation>结果显示在这里。</translation>
    </message>
</context>
<context>
    <name>MachineJob</name>
    <message>
        <source>Measuring the machine</source>
        <translation>正在测量机器</translation>
    </message>
    <message>
        <source>bandwidth and peaks: some seconds</source>
        <translation>带宽与峰值算力：数秒</translation>
    </message>
</context>
<context>
    <name>MachineProbe</name>
    <message>
        <source>Check the engine command in File ▸ Settings.</source>
        <translation>请检查“文件 ▸ 设置”中的引擎命令。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Top bar</source>
        <translation>顶栏</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>{folder} cannot be written: {why}. Settings and queue are not kept: set DYNO_DATA.</source>
        <translation>{folder} 无法写入：{why}。设置和队列不会保存：请设置 DYNO_DATA。</translation>
    </message>
</context>
<context>
    <name>MeasureBars</name>
    <message>
        <source>Bars of a measure</source>
        <translation>指标条形图</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>95 % low</source>
        <translation>95% 下限</translation>
    </message>
    <message>
        <source>95 % high</source>
        <translation>95% 上限</translation>
    </message>
</context>
<context>
    <name>Memory</name>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>process</source>
        <translation>进程</translation>
    </message>
</context>
<context>
    <name>MemoryBars</name>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>capacity {size}</source>
        <translation>容量 {size}</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>其余</translation>
    </message>
</context>
<context>
    <name>MemoryFoot</name>
    <message>
        <source>Predicted peak</source>
        <translation>预测峰值</translation>
    </message>
    <message>
        <source>Predicted peak memory of all engines</source>
        <translation>全部引擎的预测峰值内存</translation>
    </message>
    <message>
        <source>Open a model to edit these.</source>
        <translation>打开模型后即可编辑。</translation>
    </message>
    <message>
        <source>{need} of {capacity} GiB</source>
        <translation>{need} / {capacity} GiB</translation>
    </message>
    <message>
        <source>Locked until this run ends.</source>
        <translation>运行结束前锁定。</translation>
    </message>
    <message>
        <source>Predicted not to fit. Running is allowed: the prediction may be wrong.</source>
        <translation>预测放不下。仍可运行：预测可能有误。</translation>
    </message>
    <message>
        <source>{letter} sits out the run.</source>
        <translation>{letter} 不参加运行。</translation>
    </message>
    <message>
        <source>Tight.</source>
        <translation>紧张。</translation>
    </message>
    <message>
        <source>Fits.</source>
        <translation>放得下。</translation>
    </message>
    <message>
        <source>{fits} {n} engines stay loaded; {letter} needs {need}.</source>
        <translation>{fits}{n} 个引擎常驻；{letter} 需 {need}。</translation>
    </message>
    <message>
        <source>Predicted time</source>
        <translation>预计时间</translation>
    </message>
    <message>
        <source>Loading, warming up and all rounds of the ticked variants: from the last results where these were measured, else from the size of the model and the machine&apos;s bandwidth.</source>
        <translation>加载、预热以及所有勾选变体的全部轮次：已测过的取自上次结果，否则根据模型大小和机器带宽估计。</translation>
    </message>
</context>
<context>
    <name>MemoryPlot</name>
    <message>
        <source>Memory over time: {name}</source>
        <translation>内存随时间变化：{name}</translation>
    </message>
    <message>
        <source>peak {size}</source>
        <translation>峰值 {size}</translation>
    </message>
    <message>
        <source>no memory was read</source>
        <translation>没有读到内存</translation>
    </message>
    <message>
        <source>loading {size}</source>
        <translation>加载 {size}</translation>
    </message>
    <message>
        <source>dotted: estimate {size}</source>
        <translation>点线：估计 {size}</translation>
    </message>
    <message>
        <source>time (s)</source>
        <translation>时间 (s)</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>阶段</translation>
    </message>
</context>
<context>
    <name>MoreRoundsButton</name>
    <message>
        <source>Asks how many rounds to add to these results, and how long they take.</source>
        <translation>询问要为这些结果增加多少轮，以及需要多久。</translation>
    </message>
    <message>
        <source>Run {n} more rounds…</source>
        <translation>追加 {n} 轮…</translation>
    </message>
    <message>
        <source>Would likely settle {names}.</source>
        <translation>很可能足以判定 {names}。</translation>
    </message>
</context>
<context>
    <name>MoreRoundsDialog</name>
    <message>
        <source>Run more rounds</source>
        <translation>追加轮次</translation>
    </message>
    <message>
        <source>Rounds to add</source>
        <translation>追加的轮数</translation>
    </message>
    <message>
        <source>About {n} more rounds would likely settle {names}.</source>
        <translation>再测大约 {n} 轮可能使 {names} 得出结论。</translation>
    </message>
    <message>
        <source>The new rounds go into the same results, with new prompts and engines of this session. Nothing that was measured is lost. If the model or the environment has changed since, the run says so and adds nothing.</source>
        <translation>新的轮次并入同一结果，使用新的提示词和本次会话的引擎。已测量的内容不会丢失。如果模型或环境此后有变化，运行会说明并且不追加任何内容。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>About {time} of measuring, after loading and warm-up.</source>
        <translation>加载和预热之后，测量约需 {time}。</translation>
    </message>
</context>
<context>
    <name>NextSteps</name>
    <message>
        <source>At most {rate} tok/s.</source>
        <translation>至多 {rate} tok/s。</translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation>添加 {name}</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>The way out that the message names.</source>
        <translation>消息所说的解决办法。</translation>
    </message>
    <message>
        <source>Copy the message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Copies the message as text.</source>
        <translation>以文本形式复制消息。</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Hides the message; the log keeps it.</source>
        <translation>隐藏消息；日志中仍有。</translation>
    </message>
</context>
<context>
    <name>OpenModelDialog</name>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>A hub id is looked up in this machine&apos;s cache; Dyno downloads nothing. Pickled weights and remote code can run programs: allow them only for a model whose author you trust.</source>
        <translation>Hub id 只在本机缓存中查找，Dyno 不会下载任何内容。Pickle 权重和远程代码可以运行程序：仅当你信任模型作者时才允许。</translation>
    </message>
    <message>
        <source>Open model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>OpeningBar</name>
    <message>
        <source>Opening results</source>
        <translation>正在打开结果</translation>
    </message>
    <message>
        <source>Stop opening</source>
        <translation>停止打开</translation>
    </message>
    <message>
        <source>Reads no further; what was open before stays.</source>
        <translation>不再继续读取；之前打开的内容保留。</translation>
    </message>
    <message>
        <source>Opening {name}: {done} of {total}</source>
        <translation>正在打开 {name}：{done} / {total}</translation>
    </message>
    <message>
        <source>comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>剩余 {time}</translation>
    </message>
</context>
<context>
    <name>OtherRunActions</name>
    <message>
        <source>Compare with results</source>
        <translation>与其他结果对比</translation>
    </message>
    <message>
        <source>Open results first, or run: there is nothing yet to compare others with.</source>
        <translation>请先打开结果或运行：目前没有可供对比的内容。</translation>
    </message>
    <message>
        <source>Other results appear here</source>
        <translation>其他结果显示在这里</translation>
    </message>
</context>
<context>
    <name>OtherRunDrop</name>
    <message>
        <source>Compare with these results</source>
        <translation>与这些结果对比</translation>
    </message>
</context>
<context>
    <name>OtherRuns</name>
    <message>
        <source>{name} is in the comparison already.</source>
        <translation>{name} 已在对比中。</translation>
    </message>
    <message>
        <source>run {n}</source>
        <translation>运行 {n}</translation>
    </message>
</context>
<context>
    <name>OtherRunsBar</name>
    <message>
        <source>shown in all views</source>
        <translation>显示在所有视图中</translation>
    </message>
    <message>
        <source>alike: it has its own baseline in the forest</source>
        <translation>条件相同：在森林图中有自己的基线</translation>
    </message>
    <message>
        <source>not comparable, so in no forest: {lines}</source>
        <translation>不可比较，因此不进入森林图：{lines}</translation>
    </message>
    <message>
        <source>Remove {run}</source>
        <translation>移除 {run}</translation>
    </message>
</context>
<context>
    <name>Overlay</name>
    <message>
        <source>Close the pane</source>
        <translation>关闭面板</translation>
    </message>
    <message>
        <source>Closes the pane that lies over the view; F8 opens it again.</source>
        <translation>关闭覆盖在视图上的面板；按 F8 再次打开。</translation>
    </message>
</context>
<context>
    <name>PairBar</name>
    <message>
        <source>Makes the second of the two what all variants are compared with.</source>
        <translation>把两者中的第二个作为所有变体的参照。</translation>
    </message>
    <message>
        <source>Compare all with {name}</source>
        <translation>全部与 {name} 对比</translation>
    </message>
    <message>
        <source>{name} ({run}): {value}; {other} ({other_run}): {other_value}</source>
        <translation>{name}（{run}）：{value}；{other}（{other_run}）：{other_value}</translation>
    </message>
    <message>
        <source>Different runs share no round, so no ratio is formed.</source>
        <translation>不同运行没有共同的轮次，因此不计算比值。</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Find a command, a variant, a setting, a word</source>
        <translation>查找命令、变体、设置或术语</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Nothing fits these letters.</source>
        <translation>没有匹配的内容。</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
</context>
<context>
    <name>PartsLegend</name>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>其余</translation>
    </message>
    <message>
        <source>From below: weights, KV cache, the rest</source>
        <translation>自下而上：权重、KV 缓存、其余</translation>
    </message>
</context>
<context>
    <name>Phases</name>
    <message>
        <source>start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>Loading {letter}</source>
        <translation>正在加载 {letter}</translation>
    </message>
    <message>
        <source>Starting the engine of {name}</source>
        <translation>正在启动 {name} 的引擎</translation>
    </message>
    <message>
        <source>convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Converting the model</source>
        <translation>正在转换模型</translation>
    </message>
    <message>
        <source>converting</source>
        <translation>转换中</translation>
    </message>
    <message>
        <source>Converting the model for {letter}</source>
        <translation>正在为 {letter} 转换模型</translation>
    </message>
    <message>
        <source>Converting the model for {name}</source>
        <translation>正在为 {name} 转换模型</translation>
    </message>
    <message>
        <source>load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Loading {name}</source>
        <translation>正在加载 {name}</translation>
    </message>
    <message>
        <source>transform</source>
        <translation>变换</translation>
    </message>
    <message>
        <source>Applying strategies</source>
        <translation>正在应用策略</translation>
    </message>
    <message>
        <source>transforming</source>
        <translation>变换中</translation>
    </message>
    <message>
        <source>Applying strategies, {letter}</source>
        <translation>正在应用策略，{letter}</translation>
    </message>
    <message>
        <source>Applying the strategies of {name}</source>
        <translation>正在应用 {name} 的策略</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Warming up, not counted</source>
        <translation>正在预热，不计入结果</translation>
    </message>
    <message>
        <source>Warming up {letter}</source>
        <translation>正在预热 {letter}</translation>
    </message>
    <message>
        <source>Warming up {name}, not counted</source>
        <translation>正在预热 {name}，不计入结果</translation>
    </message>
    <message>
        <source>quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>Judging quality</source>
        <translation>正在评估质量</translation>
    </message>
    <message>
        <source>judging</source>
        <translation>评估中</translation>
    </message>
    <message>
        <source>Judging {letter}</source>
        <translation>正在评估 {letter}</translation>
    </message>
    <message>
        <source>Judging the quality of {name}</source>
        <translation>正在评估 {name} 的质量</translation>
    </message>
    <message>
        <source>trial</source>
        <translation>试次</translation>
    </message>
    <message>
        <source>Between trials</source>
        <translation>试次间隙</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>已退出</translation>
    </message>
    <message>
        <source>Engine ended</source>
        <translation>引擎已退出</translation>
    </message>
</context>
<context>
    <name>PositionPlot</name>
    <message>
        <source>Inter-token latency by position</source>
        <translation>各位置的词元间延迟</translation>
    </message>
    <message>
        <source>token {n}</source>
        <translation>词元 {n}</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>latency (ms)</source>
        <translation>延迟 (ms)</translation>
    </message>
</context>
<context>
    <name>PresetActions</name>
    <message>
        <source>Saved preset {path}</source>
        <translation>已保存预设 {path}</translation>
    </message>
</context>
<context>
    <name>PresetCare</name>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Materialize…</source>
        <translation>写出模型…</translation>
    </message>
    <message>
        <source>Export script…</source>
        <translation>导出脚本…</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Measures the baseline and the variant again, and keeps in the preset whether the ratio agrees.</source>
        <translation>重新测量基线和变体，并把比值是否一致记入预设。</translation>
    </message>
    <message>
        <source>Writes the pruned or quantized model as a folder that loads at once.</source>
        <translation>把剪枝或量化后的模型写成可直接加载的文件夹。</translation>
    </message>
    <message>
        <source>The recipe in transformers alone, as far as it has what it takes.</source>
        <translation>仅用 transformers 实现的配方，以其能力为限。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>separated by commas</source>
        <translation>以逗号分隔</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Keep as it was</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>Save changes</source>
        <translation>保存更改</translation>
    </message>
    <message>
        <source>It changes no weights, so there is nothing to write.</source>
        <translation>它不改变权重，没有可写出的内容。</translation>
    </message>
    <message>
        <source>Export script</source>
        <translation>导出脚本</translation>
    </message>
    <message>
        <source>Python (*.py)</source>
        <translation>Python (*.py)</translation>
    </message>
    <message>
        <source>{path} cannot be written: {why}</source>
        <translation>无法写入 {path}：{why}</translation>
    </message>
    <message>
        <source>Saved {path}</source>
        <translation>已保存 {path}</translation>
    </message>
    <message>
        <source>Not in the script: {what}</source>
        <translation>脚本中不包含：{what}</translation>
    </message>
    <message>
        <source>&quot;{name}&quot; was changed.</source>
        <translation>“{name}”已更改。</translation>
    </message>
    <message>
        <source>&quot;{name}&quot; was deleted, with its evidence.</source>
        <translation>“{name}”及其证据已删除。</translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is as it was.</source>
        <translation>“{name}”保持原样。</translation>
    </message>
</context>
<context>
    <name>PresetDialog</name>
    <message>
        <source>Load preset</source>
        <translation>加载预设</translation>
    </message>
    <message>
        <source>Search presets</source>
        <translation>搜索预设</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Open a preset file…</source>
        <translation>打开预设文件…</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Evidence, as measured then</source>
        <translation>证据（当时的测量值）</translation>
    </message>
    <message>
        <source>Verified since</source>
        <translation>此后的验证</translation>
    </message>
    <message>
        <source>The chosen preset</source>
        <translation>所选预设</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Load settings only</source>
        <translation>仅加载设置</translation>
    </message>
    <message>
        <source>Load and measure here</source>
        <translation>加载并在此测量</translation>
    </message>
    <message>
        <source>no evidence</source>
        <translation>无证据</translation>
    </message>
    <message>
        <source>No preset has these words</source>
        <translation>没有包含这些词的预设</translation>
    </message>
    <message>
        <source>No presets yet</source>
        <translation>还没有预设</translation>
    </message>
    <message>
        <source>Measure a variant, then save it with Ctrl+Shift+S: its evidence goes with it.</source>
        <translation>测量一个变体，再用 Ctrl+Shift+S 保存：证据随之保存。</translation>
    </message>
    <message>
        <source>Saved {when} · {model} · {prompts}, {into} in → {out} out</source>
        <translation>保存于 {when} · {model} · {prompts}，输入 {into} → 输出 {out}</translation>
    </message>
    <message>
        <source>Strategies</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>as loaded</source>
        <translation>原样加载</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Loads as a new variant. Undo with Ctrl+Z.</source>
        <translation>加载为新变体。可用 Ctrl+Z 撤销。</translation>
    </message>
    <message>
        <source>Open a preset</source>
        <translation>打开预设</translation>
    </message>
    <message>
        <source>Presets (*.json *.dyno-preset)</source>
        <translation>预设 (*.json *.dyno-preset)</translation>
    </message>
</context>
<context>
    <name>PresetEvidence</name>
    <message>
        <source>This evidence is from a different set-up. The speed-up may not hold here.</source>
        <translation>该证据来自不同的环境，加速在这里未必成立。</translation>
    </message>
    <message>
        <source>Measured on</source>
        <translation>测量于</translation>
    </message>
    <message>
        <source>Here now</source>
        <translation>此处现在</translation>
    </message>
    <message>
        <source>{interval} {unit} vs. {baseline}</source>
        <translation>{interval} {unit}，对 {baseline}</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 轮</translation>
    </message>
    <message>
        <source>{n} rounds</source>
        <translation>{n} 轮</translation>
    </message>
    <message>
        <source>gate: {gate}</source>
        <translation>门限：{gate}</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>weights {size}</source>
        <translation>权重 {size}</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>as requested</source>
        <translation>与请求一致</translation>
    </message>
    <message>
        <source>mismatch</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>Receipts</source>
        <translation>回执</translation>
    </message>
</context>
<context>
    <name>PresetNameDialog</name>
    <message>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>{recipe}, measured with {model}.</source>
        <translation>{recipe}，用 {model} 测量。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>A preset needs a name.</source>
        <translation>预设需要一个名称。</translation>
    </message>
    <message>
        <source>Another model has presets of this name: it becomes &quot;{name}&quot;.</source>
        <translation>另一模型的预设已用此名称：它将命名为“{name}”。</translation>
    </message>
    <message>
        <source>It becomes version {n}; the older ones stay.</source>
        <translation>它成为第 {n} 版；旧版本保留。</translation>
    </message>
    <message>
        <source>A new name in the library.</source>
        <translation>预设库中的新名称。</translation>
    </message>
</context>
<context>
    <name>PresetWork</name>
    <message>
        <source>{name} cannot be verified: {why}</source>
        <translation>无法验证 {name}：{why}</translation>
    </message>
    <message>
        <source>{name}: the run did not finish, so nothing is confirmed or refuted.</source>
        <translation>{name}：运行没有完成，既未证实也未否定。</translation>
    </message>
    <message>
        <source>{name}: the model has changed, so its evidence cannot be confirmed.</source>
        <translation>{name}：模型已改变，无法证实其证据。</translation>
    </message>
    <message>
        <source>Write the model into a new folder</source>
        <translation>将模型写入新文件夹</translation>
    </message>
    <message>
        <source>Written: {path}. It opens like any model folder.</source>
        <translation>已写出：{path}。可像任何模型文件夹一样打开。</translation>
    </message>
    <message>
        <source>Verification of the preset &quot;{name}&quot;</source>
        <translation>预设“{name}”的验证</translation>
    </message>
</context>
<context>
    <name>PromptCache</name>
    <message>
        <source>Tokens are not counted while engines are at work.</source>
        <translation>引擎工作期间不统计词元数。</translation>
    </message>
    <message>
        <source>Tokens are counted when a model is open.</source>
        <translation>打开模型后统计词元数。</translation>
    </message>
</context>
<context>
    <name>PromptPicker</name>
    <message>
        <source>Pick a prompt of the set</source>
        <translation>从提示词集中选择</translation>
    </message>
    <message>
        <source>Takes one of the workload&apos;s prompts as the question.</source>
        <translation>取负载中的一条提示词作为问题。</translation>
    </message>
</context>
<context>
    <name>Prompts</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Code edit</source>
        <translation>代码编辑</translation>
    </message>
    <message>
        <source>Long context</source>
        <translation>长上下文</translation>
    </message>
    <message>
        <source>Math</source>
        <translation>数学</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Shared prefix</source>
        <translation>共享前缀</translation>
    </message>
    <message>
        <source>Summarization</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>翻译</translation>
    </message>
    <message>
        <source>the first {n} prompts of a larger file</source>
        <translation>较大文件的前 {n} 条提示词</translation>
    </message>
    <message>
        <source>1 prompt</source>
        <translation>1 条提示词</translation>
    </message>
    <message>
        <source>{n} prompts</source>
        <translation>{n} 条提示词</translation>
    </message>
    <message>
        <source>{low} to {high} tokens, median {mid}; the chat template takes {template} more</source>
        <translation>{low} 至 {high} 个词元，中位数 {mid}；对话模板另占 {template} 个</translation>
    </message>
    <message>
        <source>{low} to {high} characters, median {mid}</source>
        <translation>{low} 至 {high} 个字符，中位数 {mid}</translation>
    </message>
    <message>
        <source>{n} characters</source>
        <translation>{n} 个字符</translation>
    </message>
    <message>
        <source>1 token · {m} characters</source>
        <translation>1 个词元 · {m} 个字符</translation>
    </message>
    <message>
        <source>{n} tokens · {m} characters</source>
        <translation>{n} 个词元 · {m} 个字符</translation>
    </message>
</context>
<context>
    <name>PromptsDialog</name>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Lengths of the prompts</source>
        <translation>提示词长度</translation>
    </message>
    <message>
        <source>Use this set</source>
        <translation>使用此提示词集</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Sets</source>
        <translation>提示词集</translation>
    </message>
    <message>
        <source>Prompt sets</source>
        <translation>提示词集</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>A .txt or .jsonl file with a prompt a line, or a .json list, as ShareGPT&apos;s.</source>
        <translation>每行一条提示词的 .txt 或 .jsonl 文件，或 ShareGPT 式的 .json 列表。</translation>
    </message>
    <message>
        <source>Prompts of the set</source>
        <translation>该集的提示词</translation>
    </message>
    <message>
        <source>The chosen prompt</source>
        <translation>所选提示词</translation>
    </message>
    <message>
        <source>Prompts ({patterns})</source>
        <translation>提示词 ({patterns})</translation>
    </message>
    <message>
        <source>Open prompts</source>
        <translation>打开提示词</translation>
    </message>
    <message>
        <source>Being read…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Of the first {n} prompts.</source>
        <translation>前 {n} 条提示词。</translation>
    </message>
    <message>
        <source>Counted by the open model&apos;s tokenizer. A workload trims or extends prompts to its length.</source>
        <translation>由已打开模型的分词器统计。负载会把提示词截短或补足到指定长度。</translation>
    </message>
    <message>
        <source>Tokens are being counted…</source>
        <translation>正在统计词元数…</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>Other processes</source>
        <translation>其他进程</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Stolen by the host</source>
        <translation>被宿主机占用</translation>
    </message>
    <message>
        <source>GPU clock</source>
        <translation>GPU 频率</translation>
    </message>
    <message>
        <source>GPU temperature</source>
        <translation>GPU 温度</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>Throttled</source>
        <translation>降频</translation>
    </message>
    <message>
        <source>Engine process</source>
        <translation>引擎进程</translation>
    </message>
    <message>
        <source>pid {pid}</source>
        <translation>pid {pid}</translation>
    </message>
    <message>
        <source>requested: {what}</source>
        <translation>请求：{what}</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Type, device</source>
        <translation>类型，设备</translation>
    </message>
    <message>
        <source>All requests</source>
        <translation>全部请求</translation>
    </message>
    <message>
        <source>Per request</source>
        <translation>每个请求</translation>
    </message>
    <message>
        <source>Draft accepted</source>
        <translation>草稿接受率</translation>
    </message>
    <message>
        <source>Tokens per step</source>
        <translation>每步词元数</translation>
    </message>
    <message>
        <source>Estimated peak</source>
        <translation>预测峰值</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>Flags</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>stops after round {n}</source>
        <translation>第 {n} 轮后停止</translation>
    </message>
    <message>
        <source>stops before the first round</source>
        <translation>第一轮之前停止</translation>
    </message>
    <message>
        <source>waiting for a run</source>
        <translation>等待运行</translation>
    </message>
    <message>
        <source>nothing was recorded</source>
        <translation>没有记录</translation>
    </message>
    <message>
        <source>warming up, not counted</source>
        <translation>正在预热，不计入结果</translation>
    </message>
    <message>
        <source>waiting for the first token</source>
        <translation>等待第一个词元</translation>
    </message>
    <message>
        <source>waiting for the first trial</source>
        <translation>等待第一个试次</translation>
    </message>
    <message>
        <source>waiting for warm-up</source>
        <translation>等待预热</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>Finished: {n} of {all} rounds</source>
        <translation>已完成：{n} / {all} 轮</translation>
    </message>
    <message>
        <source>Stopped: {n} of {all} rounds kept</source>
        <translation>已停止：保留 {n} / {all} 轮</translation>
    </message>
    <message>
        <source>Cancelled: {n} of {all} rounds kept</source>
        <translation>已取消：保留 {n} / {all} 轮</translation>
    </message>
    <message>
        <source>The run failed: {n} of {all} rounds kept</source>
        <translation>运行失败：保留 {n} / {all} 轮</translation>
    </message>
    <message>
        <source>Interrupted: {n} of {all} rounds kept</source>
        <translation>已中断：保留 {n} / {all} 轮</translation>
    </message>
    <message>
        <source>Paused after round {n}</source>
        <translation>已在第 {n} 轮后暂停</translation>
    </message>
    <message>
        <source>Paused before the first round</source>
        <translation>已在第一轮之前暂停</translation>
    </message>
    <message>
        <source>Starting the engine</source>
        <translation>正在启动引擎</translation>
    </message>
    <message>
        <source>Measuring {name}, round {n} of {all}</source>
        <translation>正在测量 {name}，第 {n} / {all} 轮</translation>
    </message>
    <message>
        <source>No memory was read of {name}.</source>
        <translation>没有读到 {name} 的内存。</translation>
    </message>
    <message>
        <source>{name} needed {size} at most.</source>
        <translation>{name} 最多需要 {size}。</translation>
    </message>
    <message>
        <source>{name} needed {size} at most, {weights} of it weights.</source>
        <translation>{name} 最多需要 {size}，其中权重 {weights}。</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open demo model</source>
        <translation>打开演示模型</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Open GGUF…</source>
        <translation>打开 GGUF…</translation>
    </message>
    <message>
        <source>Open from hub…</source>
        <translation>从 Hub 打开…</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>最近的模型</translation>
    </message>
    <message>
        <source>Open results…</source>
        <translation>打开结果…</translation>
    </message>
    <message>
        <source>Recent results</source>
        <translation>最近的结果</translation>
    </message>
    <message>
        <source>Compare with results…</source>
        <translation>与其他结果对比…</translation>
    </message>
    <message>
        <source>Compare with recent</source>
        <translation>与最近的结果对比</translation>
    </message>
    <message>
        <source>Open experiment…</source>
        <translation>打开实验…</translation>
    </message>
    <message>
        <source>Save experiment…</source>
        <translation>保存实验…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Prompts…</source>
        <translation>提示词…</translation>
    </message>
    <message>
        <source>Find a command…</source>
        <translation>查找命令…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Pause live view</source>
        <translation>暂停实时视图</translation>
    </message>
    <message>
        <source>View chart as table</source>
        <translation>以表格查看图表</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>排序方式</translation>
    </message>
    <message>
        <source>Variants dock</source>
        <translation>变体面板</translation>
    </message>
    <message>
        <source>Inspector dock</source>
        <translation>检查器面板</translation>
    </message>
    <message>
        <source>Swap docks</source>
        <translation>交换面板</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>下一个窗格</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>上一个窗格</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Line patterns</source>
        <translation>线型</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Stop after round</source>
        <translation>本轮后停止</translation>
    </message>
    <message>
        <source>Cancel run</source>
        <translation>取消运行</translation>
    </message>
    <message>
        <source>&amp;Presets</source>
        <translation>预设(&amp;P)</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <source>Load preset…</source>
        <translation>加载预设…</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>Metrics and strategies</source>
        <translation>指标与策略</translation>
    </message>
    <message>
        <source>What&apos;s this?</source>
        <translation>这是什么？</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Environment…</source>
        <translation>环境…</translation>
    </message>
    <message>
        <source>What the numbers mean</source>
        <translation>数字的含义</translation>
    </message>
    <message>
        <source>About Dyno</source>
        <translation>关于 Dyno</translation>
    </message>
    <message>
        <source>Quality is being judged.</source>
        <translation>正在评估质量。</translation>
    </message>
    <message>
        <source>The baseline could not be judged, so nothing can be compared with it.</source>
        <translation>基线未能评估，因此无从比较。</translation>
    </message>
    <message>
        <source>Only the baseline was judged.</source>
        <translation>只评估了基线。</translation>
    </message>
    <message>
        <source>Quality was not judged to the end.</source>
        <translation>质量评估未进行到底。</translation>
    </message>
    <message>
        <source>not judged: {why}</source>
        <translation>未评估：{why}</translation>
    </message>
    <message>
        <source>being judged · {x} %</source>
        <translation>评估中 · {x}%</translation>
    </message>
    <message>
        <source>waits for its turn</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>green &lt; {g}, amber &lt; {a}</source>
        <translation>绿 &lt; {g}，黄 &lt; {a}</translation>
    </message>
    <message>
        <source>Same top token</source>
        <translation>首选词元一致率</translation>
    </message>
    <message>
        <source>green ≥ {g} %, amber ≥ {a} %</source>
        <translation>绿 ≥ {g}%，黄 ≥ {a}%</translation>
    </message>
    <message>
        <source>Ratio, upper bound</source>
        <translation>比值上界</translation>
    </message>
    <message>
        <source>green ≤ {g}, amber ≤ {a}</source>
        <translation>绿 ≤ {g}，黄 ≤ {a}</translation>
    </message>
    <message>
        <source>Receipts appear here once a variant is loaded.</source>
        <translation>变体加载后，这里显示回执。</translation>
    </message>
    <message>
        <source>Every strategy took effect as requested.</source>
        <translation>所有策略均按请求生效。</translation>
    </message>
    <message>
        <source>{name}: {slot} did not take effect as requested.</source>
        <translation>{name}：{slot}未按请求生效。</translation>
    </message>
    <message>
        <source>{n} strategies did not take effect as requested.</source>
        <translation>{n} 项策略未按请求生效。</translation>
    </message>
    <message>
        <source>{name} yielded no token in this request.</source>
        <translation>{name} 在这个请求中没有产出词元。</translation>
    </message>
    <message>
        <source>{name}: first token after {ttft} ms, {n} tokens after {time}, {drafted} of them drafted.</source>
        <translation>{name}：{ttft} ms 后得到首个词元，{time} 后得到 {n} 个词元，其中 {drafted} 个来自草稿。</translation>
    </message>
    <message>
        <source>{name}: first token after {ttft} ms, {n} tokens after {time}.</source>
        <translation>{name}：{ttft} ms 后得到首个词元，{time} 后得到 {n} 个词元。</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试次</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>{names}: called exact, and not as the plain decoder.</source>
        <translation>{names}：称为精确，却与普通解码器不同。</translation>
    </message>
    <message>
        <source>{type}: losses are relative to that</source>
        <translation>{type}：损失是相对于它的</translation>
    </message>
    <message>
        <source>Dequantized from</source>
        <translation>反量化自</translation>
    </message>
</context>
<context>
    <name>QualityGhost</name>
    <message>
        <source>Check quality</source>
        <translation>检查质量</translation>
    </message>
    <message>
        <source>Judges what was measured. Where nothing was, or it was edited since, it is measured first.</source>
        <translation>评估已测过的变体。尚未测量或之后被编辑过的，先进行测量。</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>比较的内容</translation>
    </message>
    <message>
        <source>These are proxies: they tell how far a variant moves from the baseline, not whether its answers are good. Run a task set of your own before you ship.</source>
        <translation>这些是代理指标：说明变体偏离基线多远，而不是回答好不好。上线前请运行你自己的任务集。</translation>
    </message>
    <message>
        <source>Quality is judged after the rounds.</source>
        <translation>各轮结束后评估质量。</translation>
    </message>
    <message>
        <source>Apart from them, so that it costs no trial anything.</source>
        <translation>与测速分开进行，不影响任何试次。</translation>
    </message>
    <message>
        <source>This run measures speed only.</source>
        <translation>本次运行只测速度。</translation>
    </message>
    <message>
        <source>Switch quality on under Protocol, and run again.</source>
        <translation>在“测量方案”中打开质量评估，然后重新运行。</translation>
    </message>
    <message>
        <source>Quality takes two variants.</source>
        <translation>质量评估需要两个变体。</translation>
    </message>
    <message>
        <source>Every variant is compared with the baseline, A: add another one first.</source>
        <translation>每个变体都与基线 A 比较：请先再添加一个。</translation>
    </message>
    <message>
        <source>Quality has not been checked.</source>
        <translation>尚未检查质量。</translation>
    </message>
    <message>
        <source>Every variant reads the same text as the baseline, and their next-token probabilities are compared. The rounds that were measured stay as they are: none is measured again.</source>
        <translation>每个变体读取与基线相同的文本，并比较它们的下一词元概率。已测的轮次保持不变，不重新测量。</translation>
    </message>
    <message>
        <source>Every variant reads the same text as the baseline, after the rounds of the speed trials, and their next-token probabilities are compared.</source>
        <translation>测速各轮结束后，每个变体读取与基线相同的文本，比较下一词元的概率。</translation>
    </message>
</context>
<context>
    <name>QualityLimits</name>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit limits</source>
        <translation>编辑限值</translation>
    </message>
    <message>
        <source>Sets the limits of the gate, from the next run on.</source>
        <translation>设置质量门限的限值，从下次运行起生效。</translation>
    </message>
    <message>
        <source>KL divergence tells how far the next-token probabilities move from A&apos;s; 0 is identical. It is a proxy: run your own task set before shipping.</source>
        <translation>KL 散度说明下一词元的概率偏离 A 多远；0 表示完全一致。它是代理指标：上线前请运行你自己的任务集。</translation>
    </message>
    <message>
        <source>Limits of the gate</source>
        <translation>质量门限的限值</translation>
    </message>
    <message>
        <source>They hold from the next run on; this one keeps its own.</source>
        <translation>从下次运行起生效；本次运行保持原有限值。</translation>
    </message>
    <message>
        <source>Limits, and what {letter} reaches</source>
        <translation>限值，以及 {letter} 的结果</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限值</translation>
    </message>
</context>
<context>
    <name>QualityModel</name>
    <message>
        <source>reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>gate green</source>
        <translation>门限：绿色</translation>
    </message>
    <message>
        <source>gate amber</source>
        <translation>门限：黄色</translation>
    </message>
    <message>
        <source>gate red</source>
        <translation>门限：红色</translation>
    </message>
    <message>
        <source>Variant vs. A</source>
        <translation>变体（对 A）</translation>
    </message>
    <message>
        <source>KL, nats per token</source>
        <translation>KL，nats/词元</translation>
    </message>
    <message>
        <source>Same top token</source>
        <translation>首选词元一致率</translation>
    </message>
    <message>
        <source>Perplexity ratio</source>
        <translation>困惑度比</translation>
    </message>
    <message>
        <source>First divergence</source>
        <translation>首个分歧</translation>
    </message>
    <message>
        <source>Gate</source>
        <translation>质量门限</translation>
    </message>
</context>
<context>
    <name>QualityView</name>
    <message>
        <source>Quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>KL divergence per token</source>
        <translation>每词元 KL 散度</translation>
    </message>
    <message>
        <source>nats, share of tokens</source>
        <translation>nats，词元占比</translation>
    </message>
    <message>
        <source>How far each variant is from the baseline on the same text, and what the gate says to that.</source>
        <translation>每个变体在相同文本上与基线的差距，以及质量门限的结论。</translation>
    </message>
</context>
<context>
    <name>QueueDialog</name>
    <message>
        <source>Run queue</source>
        <translation>运行队列</translation>
    </message>
    <message>
        <source>Experiments that wait</source>
        <translation>等待中的实验</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Start queue</source>
        <translation>启动队列</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Run ▸ Add to queue puts the present experiment here.</source>
        <translation>“运行 ▸ 加入队列”将当前实验放到这里。</translation>
    </message>
    <message>
        <source>The next one starts when the present run ends. Each gets results of its own.</source>
        <translation>当前运行结束后启动下一个。每个实验各有自己的结果。</translation>
    </message>
    <message>
        <source>One starts when the one before it ends. Each gets results of its own.</source>
        <translation>前一个结束后启动下一个。每个实验各有自己的结果。</translation>
    </message>
    <message>
        <source>Hold queue</source>
        <translation>暂缓队列</translation>
    </message>
    <message>
        <source>{n} rounds</source>
        <translation>{n} 轮</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 轮</translation>
    </message>
    <message>
        <source>{prompts}, {into} tokens in, {out} out</source>
        <translation>{prompts}，输入 {into} 个词元，输出 {out} 个</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>no run is going on</source>
        <translation>当前没有运行</translation>
    </message>
    <message>
        <source>the rounds are over</source>
        <translation>各轮已结束</translation>
    </message>
    <message>
        <source>no round has begun yet</source>
        <translation>还没有轮次开始</translation>
    </message>
    <message>
        <source>it has been asked for already</source>
        <translation>已经请求过</translation>
    </message>
    <message>
        <source>not while a run goes on</source>
        <translation>运行期间不可用</translation>
    </message>
    <message>
        <source>nothing has been changed</source>
        <translation>没有可撤销的更改</translation>
    </message>
    <message>
        <source>nothing was undone</source>
        <translation>没有可重做的更改</translation>
    </message>
    <message>
        <source>there is no engine</source>
        <translation>没有引擎</translation>
    </message>
    <message>
        <source>nothing has been measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>all that was asked for is measured</source>
        <translation>所请求的均已测量</translation>
    </message>
    <message>
        <source>no variant has failed</source>
        <translation>没有失败的变体</translation>
    </message>
    <message>
        <source>select a variant of this run that is not its baseline</source>
        <translation>请选择本次运行中非基线的变体</translation>
    </message>
    <message>
        <source>open a model first</source>
        <translation>请先打开模型</translation>
    </message>
    <message>
        <source>the selected variant is the baseline</source>
        <translation>所选变体是基线</translation>
    </message>
    <message>
        <source>not for what is selected</source>
        <translation>不适用于所选内容</translation>
    </message>
</context>
<context>
    <name>ReceiptsModel</name>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未执行到</translation>
    </message>
    <message>
        <source>not loaded yet</source>
        <translation>尚未加载</translation>
    </message>
    <message>
        <source>as requested</source>
        <translation>与请求一致</translation>
    </message>
    <message>
        <source>not as requested: {asked}</source>
        <translation>与请求不一致：{asked}</translation>
    </message>
</context>
<context>
    <name>ReceiptsView</name>
    <message>
        <source>Receipts: what is in effect</source>
        <translation>回执：实际生效的设置</translation>
    </message>
    <message>
        <source>What is in effect, slot by variant; a warning stands where that is not what was asked for.</source>
        <translation>各槽位、各变体实际生效的内容；与请求不符处有警告。</translation>
    </message>
    <message>
        <source>Layer map</source>
        <translation>层图</translation>
    </message>
    <message>
        <source>Copy receipt as JSON</source>
        <translation>复制回执 JSON</translation>
    </message>
    <message>
        <source>Copies the chosen receipt as JSON, with all its details.</source>
        <translation>以 JSON 复制所选回执及其全部详情。</translation>
    </message>
    <message>
        <source>Read from the loaded models, not from the settings.</source>
        <translation>读自已加载的模型，而非设置。</translation>
    </message>
    <message>
        <source>Requested</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Effective</source>
        <translation>生效</translation>
    </message>
    <message>
        <source>Receipt in detail</source>
        <translation>回执详情</translation>
    </message>
</context>
<context>
    <name>RecentModelButtons</name>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
</context>
<context>
    <name>RecentModels</name>
    <message>
        <source>Demo model</source>
        <translation>演示模型</translation>
    </message>
    <message>
        <source>Models appear here</source>
        <translation>模型显示在这里</translation>
    </message>
</context>
<context>
    <name>RequestsStrip</name>
    <message>
        <source>Requests over time</source>
        <translation>请求随时间</translation>
    </message>
    <message>
        <source>{n} requests</source>
        <translation>{n} 个请求</translation>
    </message>
    <message>
        <source>at most {n} at once, {mean} on average</source>
        <translation>同时最多 {n} 个，平均 {mean} 个</translation>
    </message>
    <message>
        <source>{time} s</source>
        <translation>{time} s</translation>
    </message>
    <message>
        <source>longest wait {ms} ms</source>
        <translation>最长等待 {ms} ms</translation>
    </message>
    <message>
        <source>request {n}, slot {slot}: waited {wait} ms, first token {first} ms after its arrival, {tokens} tokens, done after {end} ms</source>
        <translation>请求 {n}，槽位 {slot}：等待 {wait} ms，到达后 {first} ms 得到首个词元，{tokens} 个词元，{end} ms 后完成</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>arrival (ms)</source>
        <translation>到达 (ms)</translation>
    </message>
    <message>
        <source>dispatch (ms)</source>
        <translation>派发 (ms)</translation>
    </message>
    <message>
        <source>first token (ms)</source>
        <translation>首个词元 (ms)</translation>
    </message>
    <message>
        <source>end (ms)</source>
        <translation>结束 (ms)</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
</context>
<context>
    <name>RooflineLayer</name>
    <message>
        <source>Memory-bound: bytes decide</source>
        <translation>访存受限：取决于字节数</translation>
    </message>
    <message>
        <source>Compute-bound</source>
        <translation>计算受限</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source> · {share} % of roof</source>
        <translation> · 屋顶线的 {share}%</translation>
    </message>
</context>
<context>
    <name>RooflineModel</name>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>MB per token</source>
        <translation>每词元 MB</translation>
    </message>
    <message>
        <source>Ceiling tok/s</source>
        <translation>上限 tok/s</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>MBU %</source>
        <translation>MBU %</translation>
    </message>
    <message>
        <source>MFU %</source>
        <translation>MFU %</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
</context>
<context>
    <name>RooflinePlot</name>
    <message>
        <source>Roofline: attained speed over arithmetic intensity</source>
        <translation>屋顶线：实际速度与算术强度</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>{variant}, {phase}: {rate}, {share} % of roof</source>
        <translation>{variant}，{phase}：{rate}，屋顶线的 {share}%</translation>
    </message>
    <message>
        <source>variant or roof</source>
        <translation>变体或屋顶线</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>intensity (FLOP/B)</source>
        <translation>算术强度 (FLOP/B)</translation>
    </message>
    <message>
        <source>speed (GFLOP/s)</source>
        <translation>速度 (GFLOP/s)</translation>
    </message>
    <message>
        <source>share of roof (%)</source>
        <translation>占屋顶线 (%)</translation>
    </message>
    <message>
        <source>bandwidth (GB/s)</source>
        <translation>带宽 (GB/s)</translation>
    </message>
    <message>
        <source>{x} FLOP/B: at most {rate} in {kind}</source>
        <translation>{x} FLOP/B：{kind} 至多 {rate}</translation>
    </message>
</context>
<context>
    <name>RooflineView</name>
    <message>
        <source>Run and measure the roof</source>
        <translation>运行并测量屋顶线</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>How to read it</source>
        <translation>如何读图</translation>
    </message>
    <message>
        <source>The line is what this machine can do: bytes decide on its slope, computing on its flat part.</source>
        <translation>折线是本机的能力：斜坡段取决于访存，平顶段取决于计算。</translation>
    </message>
    <message>
        <source>A mark is what a variant does: filled while it decodes, hollow while it reads the prompt.</source>
        <translation>标记是变体的表现：实心为解码，空心为预填充。</translation>
    </message>
    <message>
        <source>The gap between a mark and the line is what is left to gain; the inspector says what takes it.</source>
        <translation>标记与折线的距离是尚可提升的空间；检查器说明差在哪里。</translation>
    </message>
    <message>
        <source>Attained speed</source>
        <translation>实际速度</translation>
    </message>
    <message>
        <source>GFLOP/s over FLOP per byte read, both logarithmic</source>
        <translation>纵轴 GFLOP/s，横轴每读取字节的 FLOP，均为对数</translation>
    </message>
    <message>
        <source>Starts a run, which measures bandwidth and peak at its beginning.</source>
        <translation>开始一次运行，开头会测量带宽和峰值。</translation>
    </message>
    <message>
        <source>What a token reads, what the machine would allow, what was reached, and what binds, a row a variant.</source>
        <translation>每个变体一行：每词元读取多少、机器允许多少、达到多少，以及受限于什么。</translation>
    </message>
    <message>
        <source>The roof is measured; marks appear when the first trials end.</source>
        <translation>屋顶线已测量；首批试次结束后显示标记。</translation>
    </message>
    <message>
        <source>The roof is measured when a run begins.</source>
        <translation>运行开始时测量屋顶线。</translation>
    </message>
    <message>
        <source>It takes some seconds, once for each machine.</source>
        <translation>每台机器只需一次，用时数秒。</translation>
    </message>
    <message>
        <source>Nothing was measured that could be placed under the roof.</source>
        <translation>没有可以放到屋顶线下的测量。</translation>
    </message>
    <message>
        <source>It takes a finished trial of a model whose parts are known.</source>
        <translation>需要一个完整的试次，且模型的结构已知。</translation>
    </message>
    <message>
        <source>This run did not measure what the machine can do.</source>
        <translation>本次运行没有测量机器的能力。</translation>
    </message>
    <message>
        <source>Run again: it takes some seconds, once for each machine.</source>
        <translation>请重新运行：每台机器只需一次，用时数秒。</translation>
    </message>
    <message>
        <source>The roof of this machine has not been measured.</source>
        <translation>尚未测量本机的屋顶线。</translation>
    </message>
    <message>
        <source>A run measures bandwidth and peak at its beginning: some seconds, once for each machine.</source>
        <translation>运行开始时测量带宽与峰值算力：每台机器一次，用时数秒。</translation>
    </message>
</context>
<context>
    <name>RowDelegate</name>
    <message>
        <source>not in this forest</source>
        <translation>不在此森林图中</translation>
    </message>
    <message>
        <source>reference of {run}</source>
        <translation>{run} 的参照</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>waiting for round 2</source>
        <translation>等待第 2 轮</translation>
    </message>
    <message>
        <source>edited since</source>
        <translation>此后已编辑</translation>
    </message>
</context>
<context>
    <name>RunActions</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Continue run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Run more rounds…</source>
        <translation>追加轮次…</translation>
    </message>
    <message>
        <source>Measure this variant again</source>
        <translation>重新测量此变体</translation>
    </message>
    <message>
        <source>Measure failed variants again</source>
        <translation>重新测量失败的变体</translation>
    </message>
    <message>
        <source>End the engines</source>
        <translation>结束引擎</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Run queue…</source>
        <translation>运行队列…</translation>
    </message>
    <message>
        <source>How many experiments wait to be run; opens their list.</source>
        <translation>有多少实验等待运行；点击打开列表。</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>1 in queue</source>
        <translation>队列中 1 个</translation>
    </message>
    <message>
        <source>{n} in queue</source>
        <translation>队列中 {n} 个</translation>
    </message>
    <message>
        <source>Run queue ({n})…</source>
        <translation>运行队列（{n}）…</translation>
    </message>
    <message>
        <source>Sweep the load…</source>
        <translation>扫描负载…</translation>
    </message>
</context>
<context>
    <name>RunControls</name>
    <message>
        <source>Ends the run at once; finished trials are kept.</source>
        <translation>立即结束运行；已完成的试次保留。</translation>
    </message>
    <message>
        <source>Pauses after the present round, with the engines loaded; without a run, measures the missing rounds.</source>
        <translation>在本轮之后暂停，引擎保持加载；没有运行时，测量缺少的轮次。</translation>
    </message>
    <message>
        <source>Runs every ticked variant; during a run, ends it after the present round.</source>
        <translation>运行所有勾选的变体；运行期间，在本轮之后结束。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Ends at once. Speed is measured, and kept.</source>
        <translation>立即结束。速度已测量，会保留。</translation>
    </message>
    <message>
        <source>Ends at once. Finished trials are kept.</source>
        <translation>立即结束。已完成的试次会保留。</translation>
    </message>
    <message>
        <source>No round has begun yet: Cancel ends the run.</source>
        <translation>尚未开始任何一轮：“取消”会结束运行。</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Stop here</source>
        <translation>就此停止</translation>
    </message>
    <message>
        <source>Stop after round</source>
        <translation>本轮后停止</translation>
    </message>
    <message>
        <source>Continue run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Measures the rounds that are missing, beside what is there.</source>
        <translation>补测缺少的轮次，保留已有结果。</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Goes on with the next round. The engines are loaded.</source>
        <translation>从下一轮继续。引擎已加载。</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>Waits when this round is over. Press again to go on instead.</source>
        <translation>本轮结束后等待。再按一次则不暂停。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Waits when this round is over. The engines stay loaded.</source>
        <translation>本轮结束后等待。引擎保持加载。</translation>
    </message>
    <message>
        <source>The prompts are being read: there is no round yet to wait after.</source>
        <translation>正在读取提示词：还没有可等待结束的轮次。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Run 1 variant</source>
        <translation>运行 1 个变体</translation>
    </message>
    <message>
        <source>Run {n} variants</source>
        <translation>运行 {n} 个变体</translation>
    </message>
</context>
<context>
    <name>RunNotifier</name>
    <message>
        <source>The run is finished</source>
        <translation>运行已完成</translation>
    </message>
    <message>
        <source>The run was stopped</source>
        <translation>运行已停止</translation>
    </message>
    <message>
        <source>The run was cancelled</source>
        <translation>运行已取消</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>运行失败</translation>
    </message>
</context>
<context>
    <name>RunQueue</name>
    <message>
        <source>The queue is full: {n} experiments wait.</source>
        <translation>队列已满：有 {n} 个实验在等待。</translation>
    </message>
    <message>
        <source>The queue waits, since this run was ended: {n} experiments are left in it.</source>
        <translation>本次运行被结束，队列在等待：还有 {n} 个实验。</translation>
    </message>
    <message>
        <source>it could not be started</source>
        <translation>未能启动</translation>
    </message>
    <message>
        <source>The queue cannot be kept: {why}</source>
        <translation>无法保存队列：{why}</translation>
    </message>
    <message>
        <source>Experiment from the queue</source>
        <translation>队列中的实验</translation>
    </message>
</context>
<context>
    <name>ScheduleStrip</name>
    <message>
        <source>Schedule of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>{done} of {all} steps done</source>
        <translation>已完成 {done} / {all} 步</translation>
    </message>
    <message>
        <source>failed: {names}</source>
        <translation>失败：{names}</translation>
    </message>
    <message>
        <source>round {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>to come</source>
        <translation>待进行</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已略过</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>a round that was interrupted</source>
        <translation>被中断的一轮</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>{work}: measure when it is done.</source>
        <translation>{work}：完成后再测量。</translation>
    </message>
    <message>
        <source>Reading the prompts</source>
        <translation>正在读取提示词</translation>
    </message>
    <message>
        <source>The run ended unexpectedly. Finished trials are kept.</source>
        <translation>运行意外结束。已完成的试次会保留。</translation>
    </message>
    <message>
        <source>The run ended before its first round was whole: the results of before are shown again.</source>
        <translation>运行在第一轮完成前结束：重新显示之前的结果。</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>this Python: python -m core.engine</source>
        <translation>当前 Python：python -m core.engine</translation>
    </message>
    <message>
        <source>the first with torch of .venv here and python3</source>
        <translation>此处的 .venv 与 python3 中第一个装有 torch 的</translation>
    </message>
    <message>
        <source>Another interpreter, a container, or ssh host python -m core.engine.</source>
        <translation>另一个解释器、容器，或 ssh host python -m core.engine。</translation>
    </message>
    <message>
        <source>as many as the engine takes</source>
        <translation>由引擎决定</translation>
    </message>
    <message>
        <source>More threads than usable cores wait for each other. Engines that run are started anew.</source>
        <translation>线程数多于可用核数时会互相等待。正在运行的引擎会重新启动。</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Engine command</source>
        <translation>引擎命令</translation>
    </message>
    <message>
        <source>Engine threads</source>
        <translation>引擎线程数</translation>
    </message>
    <message>
        <source>Presets folder</source>
        <translation>预设文件夹</translation>
    </message>
    <message>
        <source>Cache folder</source>
        <translation>缓存文件夹</translation>
    </message>
    <message>
        <source>Margin of the verdict</source>
        <translation>判定容差</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Nothing can be cleared while a run goes on.</source>
        <translation>运行期间不能清除。</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Not during a run: an engine that starts would disturb it.</source>
        <translation>运行期间不可用：启动引擎会干扰运行。</translation>
    </message>
    <message>
        <source>{variable} is {value} in the environment, which comes first: change or unset it there.</source>
        <translation>环境中的 {variable} 为 {value}，它优先：请在那里更改或取消设置。</translation>
    </message>
    <message>
        <source>Browse: {folder}</source>
        <translation>浏览：{folder}</translation>
    </message>
    <message>
        <source>Choose the folder in a dialog.</source>
        <translation>在对话框中选择文件夹。</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source> %</source>
        <translation>%</translation>
    </message>
    <message>
        <source>A variant is called faster or slower when its whole interval lies outside of it. The results on screen are judged anew.</source>
        <translation>整个区间落在容差之外时，才判定变体更快或更慢。屏幕上的结果会重新判定。</translation>
    </message>
    <message>
        <source>Say when a long run has ended</source>
        <translation>长时间运行结束时通知</translation>
    </message>
    <message>
        <source>Results folder</source>
        <translation>结果文件夹</translation>
    </message>
    <message>
        <source>Save settings</source>
        <translation>保存设置</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ShareAxis</name>
    <message>
        <source>{x} %</source>
        <translation>{x}%</translation>
    </message>
</context>
<context>
    <name>ShownResults</name>
    <message>
        <source>{name} is still being measured, by another window or command: this is what it had so far.</source>
        <translation>{name} 仍在由另一个窗口或命令测量：这是到目前为止的结果。</translation>
    </message>
</context>
<context>
    <name>Slot</name>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>{slot} default</source>
        <translation>{slot}默认</translation>
    </message>
    <message>
        <source>as A</source>
        <translation>同 A</translation>
    </message>
</context>
<context>
    <name>SlotRow</name>
    <message>
        <source>Reset to A</source>
        <translation>重置为 A</translation>
    </message>
    <message>
        <source>default ({precision})</source>
        <translation>默认（{precision}）</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
</context>
<context>
    <name>SortedTable</name>
    <message>
        <source>Sort by</source>
        <translation>排序方式</translation>
    </message>
    <message>
        <source>Ascending</source>
        <translation>升序</translation>
    </message>
    <message>
        <source>Descending</source>
        <translation>降序</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Memory in use</source>
        <translation>已用内存</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Quiet machine</source>
        <translation>机器安静</translation>
    </message>
    <message>
        <source>Other processes: {share:.0f} % of a core</source>
        <translation>其他进程：占单核 {share:.0f}%</translation>
    </message>
    <message>
        <source>{n} engines</source>
        <translation>{n} 个引擎</translation>
    </message>
    <message>
        <source>pid {pids}</source>
        <translation>pid {pids}</translation>
    </message>
    <message>
        <source>Engine starts</source>
        <translation>引擎启动中</translation>
    </message>
    <message>
        <source>Engine idle</source>
        <translation>引擎空闲</translation>
    </message>
    <message>
        <source>No engine process. It starts with the first model.</source>
        <translation>引擎进程未启动，打开模型时启动。</translation>
    </message>
    <message>
        <source>No engine process</source>
        <translation>引擎进程未启动</translation>
    </message>
    <message>
        <source>Cancelling</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <source>Stops after round {n}</source>
        <translation>第 {n} 轮后停止</translation>
    </message>
    <message>
        <source>Stops before round 1</source>
        <translation>第 1 轮之前停止</translation>
    </message>
    <message>
        <source>Paused, engines loaded</source>
        <translation>已暂停，引擎已加载</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Measuring {letter}, round {n} of {all}</source>
        <translation>正在测量 {letter}，第 {n} / {all} 轮</translation>
    </message>
</context>
<context>
    <name>SweepDialog</name>
    <message>
        <source>Sweep a parameter</source>
        <translation>参数扫描</translation>
    </message>
    <message>
        <source>One variant for each value, on top of {name}. Undo takes them all away again.</source>
        <translation>在 {name} 的基础上，每个取值一个变体。撤销可全部移除。</translation>
    </message>
    <message>
        <source>2, 4, 8   or   2..16 step 2</source>
        <translation>2, 4, 8   或   2..16 step 2</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>Variants that this makes, and values that are refused</source>
        <translation>将生成的变体，以及被拒绝的取值</translation>
    </message>
    <message>
        <source>Add variants</source>
        <translation>添加变体</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Add 1 variant</source>
        <translation>添加 1 个变体</translation>
    </message>
    <message>
        <source>Add {n} variants</source>
        <translation>添加 {n} 个变体</translation>
    </message>
</context>
<context>
    <name>Tiles</name>
    <message>
        <source>Time to first token</source>
        <translation>首 Token 延迟</translation>
    </message>
    <message>
        <source>Inter-token latency</source>
        <translation>词元间延迟</translation>
    </message>
    <message>
        <source>Decode throughput</source>
        <translation>解码吞吐</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>p50 of {n} requests</source>
        <translation>{n} 个请求的 p50</translation>
    </message>
    <message>
        <source>1 request</source>
        <translation>1 个请求</translation>
    </message>
    <message>
        <source>waiting for a trial</source>
        <translation>等待试次</translation>
    </message>
    <message>
        <source>p50 · p95 {p95}</source>
        <translation>p50 · p95 {p95}</translation>
    </message>
    <message>
        <source>this trial, 1 stream</source>
        <translation>本试次，1 路</translation>
    </message>
    <message>
        <source>this trial, {n} streams</source>
        <translation>本试次，{n} 路</translation>
    </message>
    <message>
        <source>allocated on the device</source>
        <translation>设备上已分配</translation>
    </message>
    <message>
        <source>resident, CPU</source>
        <translation>常驻，CPU</translation>
    </message>
    <message>
        <source>of {size}</source>
        <translation>共 {size}</translation>
    </message>
    <message>
        <source>median of 1 trial</source>
        <translation>1 个试次</translation>
    </message>
    <message>
        <source>median of {n} trials</source>
        <translation>{n} 个试次的中位数</translation>
    </message>
</context>
<context>
    <name>TimeAxis</name>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
</context>
<context>
    <name>TimelineStrip</name>
    <message>
        <source>Token timeline</source>
        <translation>词元时间线</translation>
    </message>
    <message>
        <source>first token {ms} ms</source>
        <translation>首个词元 {ms} ms</translation>
    </message>
    <message>
        <source>{n} steps</source>
        <translation>{n} 步</translation>
    </message>
    <message>
        <source>{n} tokens in {time} s</source>
        <translation>{time} s 内 {n} 个词元</translation>
    </message>
    <message>
        <source>{n} of them drafted</source>
        <translation>其中 {n} 个来自草稿</translation>
    </message>
    <message>
        <source>1 decision</source>
        <translation>1 次决定</translation>
    </message>
    <message>
        <source>{n} decisions</source>
        <translation>{n} 次决定</translation>
    </message>
    <message>
        <source>at {time} ms, {text}</source>
        <translation>{time} ms 处，{text}</translation>
    </message>
    <message>
        <source>waiting, {ms} ms</source>
        <translation>等待，{ms} ms</translation>
    </message>
    <message>
        <source>prompt and first token, {ms} ms</source>
        <translation>提示词与首个词元，{ms} ms</translation>
    </message>
    <message>
        <source>after the last token, {ms} ms</source>
        <translation>最后一个词元之后，{ms} ms</translation>
    </message>
    <message>
        <source>step {n} at {at} ms, {ms} ms, {tokens} tokens</source>
        <translation>第 {n} 步，{at} ms 处，{ms} ms，{tokens} 个词元</translation>
    </message>
    <message>
        <source>, {n} of them drafted</source>
        <translation>，其中 {n} 个来自草稿</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>what</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>start (ms)</source>
        <translation>开始 (ms)</translation>
    </message>
    <message>
        <source>duration (ms)</source>
        <translation>时长 (ms)</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>drafted and accepted</source>
        <translation>草稿被接受</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>其余</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>Tokens of a request</source>
        <translation>一个请求的词元</translation>
    </message>
    <message>
        <source>Memory of the run</source>
        <translation>运行的内存</translation>
    </message>
    <message>
        <source>What the timeline shows</source>
        <translation>时间线显示的内容</translation>
    </message>
    <message>
        <source>The steps of one request, or the memory of all engines over the whole run.</source>
        <translation>一个请求的各步，或整个运行期间所有引擎的内存。</translation>
    </message>
    <message>
        <source>Variants of the timeline</source>
        <translation>时间线的变体</translation>
    </message>
    <message>
        <source>All variants below each other on one axis, or a single one.</source>
        <translation>所有变体在同一轴上下排列，或单个变体。</translation>
    </message>
    <message>
        <source>Round of the timeline</source>
        <translation>时间线的轮次</translation>
    </message>
    <message>
        <source>The round whose request is shown.</source>
        <translation>所示请求属于哪一轮。</translation>
    </message>
    <message>
        <source>Request of the timeline</source>
        <translation>时间线的请求</translation>
    </message>
    <message>
        <source>Which request of the round, where it has several.</source>
        <translation>该轮有多个请求时，显示哪一个。</translation>
    </message>
    <message>
        <source>The timeline of a request appears here when the first trial ends.</source>
        <translation>首个试次结束后，这里显示请求的时间线。</translation>
    </message>
    <message>
        <source>It shows where the time of one answer went, step by step, and what drafts were worth.</source>
        <translation>它逐步显示一次回答的时间花在哪里，以及草稿带来了多少。</translation>
    </message>
    <message>
        <source>How to read a timeline</source>
        <translation>如何阅读时间线</translation>
    </message>
    <message>
        <source>since the request&apos;s arrival · height: tokens of a step, pale: accepted drafts</source>
        <translation>自请求到达起 · 高度：一步的词元数，浅色：被接受的草稿</translation>
    </message>
    <message>
        <source>Token timeline</source>
        <translation>词元时间线</translation>
    </message>
    <message>
        <source>ms, logarithmic · by position in the answer</source>
        <translation>ms，对数 · 按回答中的位置</translation>
    </message>
    <message>
        <source>Inter-token latency</source>
        <translation>词元间延迟</translation>
    </message>
    <message>
        <source>since the first arrival · grey: waiting, pale: prompt with its slot, full: tokens</source>
        <translation>自首个到达起 · 灰：等待，浅色：提示及其槽位，实色：词元</translation>
    </message>
    <message>
        <source>Requests over time</source>
        <translation>请求随时间</translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation>内存随时间变化</translation>
    </message>
    <message>
        <source>No variant finished this round.</source>
        <translation>没有变体完成这一轮。</translation>
    </message>
    <message>
        <source>{name}: {n} requests in {time}, at most {slots} at once.</source>
        <translation>{name}：{time} 内 {n} 个请求，同时最多 {slots} 个。</translation>
    </message>
    <message>
        <source>one round is no verdict; Compare has all of them</source>
        <translation>一轮不能得出结论；“对比”中有全部轮次</translation>
    </message>
    <message>
        <source>Each engine&apos;s own memory, read 5 times a second; its phases above it.</source>
        <translation>每个引擎自身的内存，每秒读取 5 次；上方是其阶段。</translation>
    </message>
    <message>
        <source>All variants</source>
        <translation>全部变体</translation>
    </message>
    <message>
        <source>Latest round</source>
        <translation>最近一轮</translation>
    </message>
    <message>
        <source>Round {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>Request {n}</source>
        <translation>请求 {n}</translation>
    </message>
    <message>
        <source>Requests of a round</source>
        <translation>一轮的请求</translation>
    </message>
    <message>
        <source>No variant finished this request.</source>
        <translation>没有变体完成这个请求。</translation>
    </message>
    <message>
        <source>Round {n} of {all}</source>
        <translation>第 {n} / {all} 轮</translation>
    </message>
    <message>
        <source>request {n} of {all}</source>
        <translation>请求 {n}/{all}</translation>
    </message>
    <message>
        <source>one request is no verdict; Compare has all rounds</source>
        <translation>单个请求不构成判定；所有轮次见“对比”</translation>
    </message>
    <message>
        <source>Without a trial in this round: {names}.</source>
        <translation>这一轮没有试次的变体：{names}。</translation>
    </message>
    <message>
        <source>The first {n} of {all} variants are shown; choose one above to see another.</source>
        <translation>显示了 {all} 个变体中的前 {n} 个；要看其他变体，请在上方选择。</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Opens the folder of the file in the system&apos;s file manager.</source>
        <translation>在系统的文件管理器中打开文件所在的文件夹。</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Copies the path of the file as text.</source>
        <translation>以文本形式复制文件的路径。</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Hides the message at once; it goes by itself too.</source>
        <translation>立即隐藏此消息；它也会自行消失。</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>测量方案</translation>
    </message>
    <message>
        <source>Open demo model</source>
        <translation>打开演示模型</translation>
    </message>
    <message>
        <source>Open a model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>Open a GGUF file…</source>
        <translation>打开 GGUF 文件…</translation>
    </message>
    <message>
        <source>Open from the hub cache…</source>
        <translation>从 Hub 缓存打开…</translation>
    </message>
    <message>
        <source>As an engine sees it; every result is stamped with it.</source>
        <translation>引擎所见的设备；每个结果都带有此标识。</translation>
    </message>
    <message>
        <source>All details</source>
        <translation>全部详情</translation>
    </message>
    <message>
        <source>Every variant gets the same prompts, trimmed or extended to exactly this length.</source>
        <translation>每个变体使用相同的提示词，截短或补足到恰好这一长度。</translation>
    </message>
    <message>
        <source>A round runs every variant once, in random order, on one prompt. Ratios are paired by round; 95 % intervals. No verdict before round 4.</source>
        <translation>每轮以随机顺序在同一提示词上把每个变体各运行一次。比值按轮配对；95% 置信区间。第 4 轮之前不作判定。</translation>
    </message>
    <message>
        <source>Look at prompts…</source>
        <translation>查看提示词…</translation>
    </message>
    <message>
        <source>Judge quality after the rounds</source>
        <translation>各轮结束后评估质量</translation>
    </message>
    <message>
        <source>Every variant reads one text, apart from the speed trials.</source>
        <translation>每个变体读取同一文本，与测速分开。</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>未打开模型</translation>
    </message>
    <message>
        <source>{prompts} · {into} in → {out} out</source>
        <translation>{prompts} · 输入 {into} → 输出 {out}</translation>
    </message>
    <message>
        <source> · {n} at once</source>
        <translation> · 并发 {n}</translation>
    </message>
    <message>
        <source>{n} rounds</source>
        <translation>{n} 轮</translation>
    </message>
    <message>
        <source>{n} interleaved rounds</source>
        <translation>交错 {n} 轮</translation>
    </message>
    <message>
        <source>rounds until ±{x} %</source>
        <translation>直到 ±{x}%</translation>
    </message>
    <message>
        <source>95 % CI</source>
        <translation>95% 置信区间</translation>
    </message>
    <message>
        <source>quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>CPU · {n} cores</source>
        <translation>CPU · {n} 核</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>none: plain prompts</source>
        <translation>无：使用纯文本提示词</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Stored as</source>
        <translation>存储类型</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>What is held constant</source>
        <translation>保持不变的条件</translation>
    </message>
    <message>
        <source>Model, device, workload and protocol: above, one field for each. Every variant runs under the same ones.</source>
        <translation>模型、设备、负载和测量方案：在上方，各一个字段。每个变体都在相同条件下运行。</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>有何不同</translation>
    </message>
    <message>
        <source>Variants, on the left: the model plus the strategies that you switch on. A is the baseline; the others are compared with it.</source>
        <translation>左侧是变体：模型加上你打开的策略。A 是基线，其余都与它比较。</translation>
    </message>
    <message>
        <source>What came out</source>
        <translation>得到的结果</translation>
    </message>
    <message>
        <source>In the middle: live while it runs, then the comparison, with intervals and receipts. Ctrl+K finds any command, F1 opens the guide.</source>
        <translation>在中间：运行时实时显示，之后是带区间和回执的对比。Ctrl+K 查找任何命令，F1 打开指南。</translation>
    </message>
    <message>
        <source>Skip tour</source>
        <translation>跳过导览</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} / {all}</translation>
    </message>
    <message>
        <source>End tour</source>
        <translation>结束导览</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>下一步</translation>
    </message>
</context>
<context>
    <name>TradeoffPlot</name>
    <message>
        <source>Variants by two measures</source>
        <translation>变体的两个指标</translation>
    </message>
    <message>
        <source>Pareto front: {names}</source>
        <translation>帕累托前沿：{names}</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>95 % low</source>
        <translation>95% 下限</translation>
    </message>
    <message>
        <source>95 % high</source>
        <translation>95% 上限</translation>
    </message>
    <message>
        <source>on the Pareto front</source>
        <translation>位于帕累托前沿</translation>
    </message>
    <message>
        <source>on the front</source>
        <translation>位于前沿</translation>
    </message>
    <message>
        <source>green &lt; {x}</source>
        <translation>绿 &lt; {x}</translation>
    </message>
    <message>
        <source>amber &lt; {x}</source>
        <translation>黄 &lt; {x}</translation>
    </message>
    <message>
        <source>capacity {x} GiB</source>
        <translation>容量 {x} GiB</translation>
    </message>
</context>
<context>
    <name>TrialsModel</name>
    <message>
        <source>counts</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已略过</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>decode tok/s</source>
        <translation>解码 tok/s</translation>
    </message>
    <message>
        <source>TTFT ms</source>
        <translation>TTFT ms</translation>
    </message>
    <message>
        <source>ITL ms</source>
        <translation>ITL ms</translation>
    </message>
    <message>
        <source>End to end ms</source>
        <translation>端到端 ms</translation>
    </message>
    <message>
        <source>aggregate tok/s</source>
        <translation>总 tok/s</translation>
    </message>
    <message>
        <source>prefill tok/s</source>
        <translation>预填充 tok/s</translation>
    </message>
    <message>
        <source>New tokens</source>
        <translation>生成词元</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>J per token</source>
        <translation>J/词元</translation>
    </message>
    <message>
        <source>Flags</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>Whether it is in the figures that are shown; nothing is deleted</source>
        <translation>是否计入显示的数值；不会删除任何内容</translation>
    </message>
</context>
<context>
    <name>TrialsTable</name>
    <message>
        <source>A row a trial, with its flags. One that is left out here is left out of the figures shown.</source>
        <translation>每个试次一行，含其标记。在此排除的试次不计入所示数值。</translation>
    </message>
    <message>
        <source>Leave out of the figures</source>
        <translation>不计入统计</translation>
    </message>
    <message>
        <source>Count in the figures</source>
        <translation>计入统计</translation>
    </message>
</context>
<context>
    <name>TryIt</name>
    <message>
        <source>waits for its turn</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>starting its engine</source>
        <translation>正在启动引擎</translation>
    </message>
    <message>
        <source>loading · {x} %</source>
        <translation>加载中 · {x}%</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>reads the prompt</source>
        <translation>正在读取提示词</translation>
    </message>
    <message>
        <source>writes · token {n}</source>
        <translation>正在生成 · 第 {n} 个词元</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>无回答</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>未提问</translation>
    </message>
    <message>
        <source>ended by itself</source>
        <translation>自行结束</translation>
    </message>
    <message>
        <source>cut at the limit</source>
        <translation>达到上限截断</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} / {all}</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>首 Token 延迟</translation>
    </message>
    <message>
        <source>Decode rate</source>
        <translation>解码速率</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <source>Accepted drafts</source>
        <translation>被接受的草稿</translation>
    </message>
    <message>
        <source>identical to A</source>
        <translation>与 A 完全一致</translation>
    </message>
    <message>
        <source>identical to A as far as it goes</source>
        <translation>截至目前与 A 完全一致</translation>
    </message>
    <message>
        <source>differs from A from token {n} on</source>
        <translation>从第 {n} 个词元起与 A 不同</translation>
    </message>
</context>
<context>
    <name>TryView</name>
    <message>
        <source>Felt, not measured: one answer each, no interval, no rounds. Nothing of it enters results.</source>
        <translation>只供体感，不是测量：各回答一次，没有区间，没有轮次。不计入任何结果。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>The question that every variant gets.</source>
        <translation>每个变体得到的问题。</translation>
    </message>
    <message>
        <source>Asks the ticked variants one after the other, or ends that; no trial is made.</source>
        <translation>依次向勾选的变体提问，或结束提问；不产生试次。</translation>
    </message>
    <message>
        <source>Type a prompt, or pick one of the set</source>
        <translation>输入提示词，或从提示词集中选择</translation>
    </message>
    <message>
        <source>Answers of the variants</source>
        <translation>各变体的回答</translation>
    </message>
    <message>
        <source>The first {n} of {all} variants are asked; untick some to ask others.</source>
        <translation>向 {all} 个变体中的前 {n} 个提问；取消勾选一些即可换其他变体。</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Ask 1 variant</source>
        <translation>向 1 个变体提问</translation>
    </message>
    <message>
        <source>Ask {n} variants</source>
        <translation>向 {n} 个变体提问</translation>
    </message>
    <message>
        <source>Ask every variant the same.</source>
        <translation>向每个变体提出同样的问题。</translation>
    </message>
    <message>
        <source>{letter} {name} is being asked.</source>
        <translation>正在向 {letter} {name} 提问。</translation>
    </message>
    <message>
        <source>{n} of {all} variants have answered.</source>
        <translation>{all} 个变体中 {n} 个已回答。</translation>
    </message>
    <message>
        <source>The baseline has answered.</source>
        <translation>基线已回答。</translation>
    </message>
    <message>
        <source>All answers are identical to A&apos;s.</source>
        <translation>所有回答均与 A 完全一致。</translation>
    </message>
    <message>
        <source>{n} of {all} answers part from A&apos;s.</source>
        <translation>{all} 个回答中 {n} 个与 A 不同。</translation>
    </message>
</context>
<context>
    <name>TryoutSession</name>
    <message>
        <source>Not during a run: answers and trials would disturb each other.</source>
        <translation>运行期间不可用：回答与试次会互相干扰。</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>请先打开模型。</translation>
    </message>
    <message>
        <source>Not now: {work}. It would disturb the answers.</source>
        <translation>暂不可用：{work}。它会干扰回答。</translation>
    </message>
    <message>
        <source>Answering a prompt</source>
        <translation>正在回答提示词</translation>
    </message>
    <message>
        <source>The answers ended unexpectedly.</source>
        <translation>回答意外结束。</translation>
    </message>
</context>
<context>
    <name>VariantActions</name>
    <message>
        <source>New variant</source>
        <translation>新建变体</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Make baseline</source>
        <translation>设为基线</translation>
    </message>
    <message>
        <source>Exclude from run</source>
        <translation>不参加运行</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Sweep a parameter…</source>
        <translation>参数扫描…</translation>
    </message>
    <message>
        <source>Previous variant</source>
        <translation>上一个变体</translation>
    </message>
    <message>
        <source>Next variant</source>
        <translation>下一个变体</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>{name} copy</source>
        <translation>{name} 副本</translation>
    </message>
</context>
<context>
    <name>VariantState</name>
    <message>
        <source>excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>{done} of {all}</source>
        <translation>{done} / {all}</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>{x} %</source>
        <translation>{x}%</translation>
    </message>
    <message>
        <source>warm-up · not counted</source>
        <translation>预热 · 不计入结果</translation>
    </message>
    <message>
        <source>judging quality</source>
        <translation>评估质量</translation>
    </message>
    <message>
        <source>edited, not measured</source>
        <translation>已编辑，未测量</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
</context>
<context>
    <name>VariantsDock</name>
    <message>
        <source>A variant is the model plus the strategies you switch on. The first one, A, is the baseline; every other is compared with it.</source>
        <translation>变体 = 模型 + 你打开的策略。第一个 A 是基线，其余都与它比较。</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>New variant</source>
        <translation>新建变体</translation>
    </message>
    <message>
        <source>Strategies</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Adds a variant like the selected one; its strategies are chosen below.</source>
        <translation>添加一个与所选相同的变体；在下方选择其策略。</translation>
    </message>
    <message>
        <source>The baseline: it takes part in every run.</source>
        <translation>基线：参加每次运行。</translation>
    </message>
    <message>
        <source>Drag to reorder.</source>
        <translation>拖动以调整顺序。</translation>
    </message>
    <message>
        <source>Strategies of</source>
        <translation>策略：</translation>
    </message>
    <message>
        <source>{n} changed vs. A</source>
        <translation>与 A 有 {n} 项不同</translation>
    </message>
    <message>
        <source>every name must be different</source>
        <translation>名称不能重复</translation>
    </message>
    <message>
        <source>&quot;{name}&quot; was not renamed: {reason}.</source>
        <translation>“{name}”未能重命名：{reason}。</translation>
    </message>
</context>
<context>
    <name>VariantsTable</name>
    <message>
        <source>A row a variant: ratio to the reference and its interval, then figures. Two rows are chosen with Ctrl.</source>
        <translation>每个变体一行：相对参照的比值及其区间，然后是各指标。按住 Ctrl 可选两行。</translation>
    </message>
    <message>
        <source>Compare all with {name}</source>
        <translation>全部与 {name} 对比</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>What makes this model faster, and what does it cost?</source>
        <translation>怎样让这个模型更快？代价是什么？</translation>
    </message>
    <message>
        <source>Dyno runs variants of one model side by side on your hardware and tells you which differences are real.</source>
        <translation>Dyno 在你的硬件上并排运行同一模型的多个变体，并告诉你哪些差异是真实的。</translation>
    </message>
    <message>
        <source>How to read a result</source>
        <translation>如何读懂结果</translation>
    </message>
    <message>
        <source>Start with the demo model</source>
        <translation>从演示模型开始</translation>
    </message>
    <message>
        <source>135 M parameters, works offline. Loads a starter comparison: a baseline, int8 weights and int4 weights, 5 rounds, about 3 min the first time.</source>
        <translation>1.35 亿参数，可离线使用。将载入一组入门对比：基线、int8 权重和 int4 权重，共 5 轮，首次约需 3 分钟。</translation>
    </message>
    <message>
        <source>Open demo model</source>
        <translation>打开演示模型</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Opens the model that comes with Dyno, with three variants of it.</source>
        <translation>打开随 Dyno 附带的模型及其三个变体。</translation>
    </message>
    <message>
        <source>Open a model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>safetensors with config.json</source>
        <translation>含 config.json 的 safetensors</translation>
    </message>
    <message>
        <source>Opens a folder as the hub has it: weights, configuration and tokenizer.</source>
        <translation>打开与 hub 上相同的文件夹：权重、配置和分词器。</translation>
    </message>
    <message>
        <source>Open a GGUF file…</source>
        <translation>打开 GGUF 文件…</translation>
    </message>
    <message>
        <source>converted once, then cached</source>
        <translation>转换一次，之后使用缓存</translation>
    </message>
    <message>
        <source>Opens one file; its weights are made whole when it is first loaded, and kept so.</source>
        <translation>打开单个文件；首次加载时还原其权重并保存。</translation>
    </message>
    <message>
        <source>Open from the hub cache…</source>
        <translation>从 Hub 缓存打开…</translation>
    </message>
    <message>
        <source>by id; nothing is downloaded</source>
        <translation>输入 id；不会下载任何内容</translation>
    </message>
    <message>
        <source>Lists the models that lie in the hub&apos;s cache on this machine.</source>
        <translation>列出本机 hub 缓存中的模型。</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>Opens the guide: how to begin, and how to read what comes out.</source>
        <translation>打开指南：如何开始，以及如何阅读结果。</translation>
    </message>
    <message>
        <source>or drop a folder or a .gguf file anywhere in this window</source>
        <translation>也可将文件夹或 .gguf 文件拖放到窗口任意处</translation>
    </message>
</context>
<context>
    <name>WhatsThis</name>
    <message>
        <source>The model that every variant is made of. A folder, a GGUF file, or one of the hub&apos;s cache.</source>
        <translation>所有变体所基于的模型：文件夹、GGUF 文件，或 Hub 缓存中的模型。</translation>
    </message>
    <message>
        <source>The machine as an engine sees it. Every result is stamped with it.</source>
        <translation>引擎所见的机器。每个结果都带有此标识。</translation>
    </message>
    <message>
        <source>Which prompts, how long, how many tokens, how many requests at once: the same for every variant.</source>
        <translation>用哪些提示词、多长、生成多少词元、多少并发请求：每个变体相同。</translation>
    </message>
    <message>
        <source>How many rounds, or how precise; the seed; and whether quality is judged after the rounds.</source>
        <translation>轮数或精度、种子，以及各轮结束后是否评估质量。</translation>
    </message>
    <message>
        <source>Runs every ticked variant. During a run: stops after this round, or ends at once; both keep trials.</source>
        <translation>运行所有勾选的变体。运行期间：本轮后停止，或立即结束；两者都保留已完成的试次。</translation>
    </message>
    <message>
        <source>One row a variant. The box: whether it takes part. Double click or F2 renames, dragging reorders.</source>
        <translation>每行一个变体。勾选框：是否参加运行。双击或 F2 重命名，拖动调整顺序。</translation>
    </message>
    <message>
        <source>Variants, and the strategies of the selected one. At the foot: the memory that they will need.</source>
        <translation>变体，以及所选变体的策略。底部：预计所需的内存。</translation>
    </message>
    <message>
        <source>One choice for every slot. What cannot work here stays in the list, with its reason.</source>
        <translation>每个槽位选一项。在此不可用的选项仍在列表中，并附原因。</translation>
    </message>
    <message>
        <source>Estimated from the sizes of the layers, before anything is loaded.</source>
        <translation>加载之前，根据各层大小估计。</translation>
    </message>
    <message>
        <source>The selected variant: why it is as fast as it is, what to try next, its receipt.</source>
        <translation>所选变体：速度的原因、下一步建议、回执。</translation>
    </message>
    <message>
        <source>This machine, what can work on it, and the results of the last times.</source>
        <translation>本机、可用的策略，以及最近的结果。</translation>
    </message>
    <message>
        <source>Views of one run. Ctrl and a number opens one.</source>
        <translation>一次运行的各个视图。Ctrl 加数字键打开。</translation>
    </message>
    <message>
        <source>What came out, and what asks for attention above it.</source>
        <translation>得到的结果；上方是需要注意的事项。</translation>
    </message>
    <message>
        <source>The comparison or the trials as a file, or the table to the clipboard.</source>
        <translation>将对比结果或各试次导出为文件，或将表格复制到剪贴板。</translation>
    </message>
    <message>
        <source>What happened last and asks for attention, with the way out.</source>
        <translation>最近发生、需要注意的事项及解决办法。</translation>
    </message>
    <message>
        <source>Ways to open a model. The demo model comes with Dyno and works without a network.</source>
        <translation>打开模型的方式。演示模型随 Dyno 附带，无需联网。</translation>
    </message>
    <message>
        <source>The engine and its process, whether the machine is quiet, and its memory.</source>
        <translation>引擎及其进程、机器是否安静，以及内存。</translation>
    </message>
    <message>
        <source>The run while it goes on. Coloured bands tie time to variants; Space freezes the plots.</source>
        <translation>进行中的运行。彩色带表示各时段对应的变体；空格键冻结图表。</translation>
    </message>
    <message>
        <source>Every variant against A: the ratio with its interval, latency, memory and quality.</source>
        <translation>每个变体对 A：比值及其区间、延迟、内存和质量。</translation>
    </message>
    <message>
        <source>One request, token by token: prefill, steps, accepted drafts, fallbacks.</source>
        <translation>一个请求，逐词元显示：预填充、各步、被接受的草稿、回退。</translation>
    </message>
    <message>
        <source>How far the answers and next-token probabilities of a variant are from the baseline&apos;s.</source>
        <translation>变体的回答和下一词元概率偏离基线多远。</translation>
    </message>
    <message>
        <source>How near each variant is to what the machine&apos;s memory and arithmetic allow.</source>
        <translation>每个变体距离机器访存与算力上限有多近。</translation>
    </message>
    <message>
        <source>What is really in effect, read from the loaded models.</source>
        <translation>实际生效的设置，读自已加载的模型。</translation>
    </message>
    <message>
        <source>One prompt of your own, answered by every variant side by side; it is no measurement.</source>
        <translation>你自己的一条提示词，由各变体并排回答；这不是测量。</translation>
    </message>
    <message>
        <source>What happened, line by line; the only place that shows a traceback.</source>
        <translation>逐行记录发生的事件；唯一显示回溯信息的地方。</translation>
    </message>
</context>
<context>
    <name>WhoseBar</name>
    <message>
        <source>Nothing is deleted: what is on screen is a step away then.</source>
        <translation>不会删除任何内容：当前显示的结果随时可以取回。</translation>
    </message>
    <message>
        <source>Back to what was measured</source>
        <translation>恢复所测量的设置</translation>
    </message>
    <message>
        <source>This run has {n} whole rounds, the results before have {more}.</source>
        <translation>此次运行有 {n} 个完整轮次，之前的结果有 {more} 个。</translation>
    </message>
    <message>
        <source>Back to the results before</source>
        <translation>回到之前的结果</translation>
    </message>
    <message>
        <source>{what}. Your variants stay as they are.</source>
        <translation>{what}。你的变体保持不变。</translation>
    </message>
    <message>
        <source>{what}, with {model}. Your variants stay as they are.</source>
        <translation>{what}，模型为 {model}。你的变体保持不变。</translation>
    </message>
    <message>
        <source>Back to your results</source>
        <translation>回到你的结果</translation>
    </message>
    <message>
        <source>Take these variants</source>
        <translation>采用这些变体</translation>
    </message>
    <message>
        <source>Back to the results of {model}</source>
        <translation>回到 {model} 的结果</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>没有打开模型。</translation>
    </message>
    <message>
        <source>Nothing is measured with {model} yet.</source>
        <translation>尚未用 {model} 测量。</translation>
    </message>
    <message>
        <source>The settings were changed since this was measured: the results are of those before.</source>
        <translation>测量之后设置已更改：结果属于更改前的设置。</translation>
    </message>
    <message>
        <source>Edited since it was measured: {names}. The results are of the settings before.</source>
        <translation>测量之后已编辑：{names}。结果属于编辑前的设置。</translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <source>Open with options…</source>
        <translation>带选项打开…</translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Nothing here can be sorted</source>
        <translation>这里没有可以排序的内容</translation>
    </message>
</context>
<context>
    <name>WindowSwitcher</name>
    <message>
        <source>{work}: the language changes at the next start.</source>
        <translation>{work}：语言将在下次启动时切换。</translation>
    </message>
</context>
<context>
    <name>Writing</name>
    <message>
        <source>The engine gave no answer.</source>
        <translation>引擎没有响应。</translation>
    </message>
</context>
<context>
    <name>WritingBar</name>
    <message>
        <source>Share that is written</source>
        <translation>已写出的比例</translation>
    </message>
    <message>
        <source>Stop writing</source>
        <translation>停止写出</translation>
    </message>
    <message>
        <source>Ends it at once; what was written so far is removed.</source>
        <translation>立即结束；已写入的部分会被移除。</translation>
    </message>
    <message>
        <source>Writing {folder}: {phase}</source>
        <translation>正在写出 {folder}：{phase}</translation>
    </message>
</context>
<context>
    <name>WritingJob</name>
    <message>
        <source>Writing {folder}</source>
        <translation>正在写出 {folder}</translation>
    </message>
</context>
</TS>
