# Bank Heist
# Every bank's name ends in 은행, so the particles behind it are fixed.

game-heist = 은행털이
heist-title = 은행털이

heist-bank-0 = 마을은행
heist-bank-1 = 도시은행
heist-bank-2 = 주립은행
heist-bank-3 = 국립은행
heist-bank-4 = 연방준비은행

# 방송 오버레이의 그림: bank 또는 space
heist-look = bank

# The lobby
heist-opened = { $who }님이 { $stake } 걸고 은행털이를 꾸미고 있어요. 같이 하실 분? !heist 띄고 금액을 써 주세요. { $seconds }초 뒤 출발!
    .text-2 = { $who }님이 { $stake } 걸고 설계도를 펼쳤어요. 같이 갈 사람은 !heist 띄고 금액! 승합차는 { $seconds }초 뒤 떠나요.
    .text-3 = “괜찮은 은행을 하나 알아요.” { $who }님이 { $stake } 걸고 속삭여요. !heist 띄고 금액을 쓰면 태워 줘요. { $seconds }초 뒤 출발!
    .text-4 = 아무것도 묻지 않을 동료 구함! { $who }님이 { $stake } 걸었어요. !heist 띄고 금액을 써서 합류하세요. { $seconds }초 뒤 마감!
    .text-5 = 쉿! { $who }님이 허술한 계획에 { $stake } 걸었어요. !heist 띄고 금액을 써서 더 허술하게 만들어 주세요. { $seconds }초 남았어요!
    .text-6 = { $who }님이 탁자에 { $stake } 올려놓고 딱 한마디 해요. “은행.” !heist 띄고 금액을 써서 합류하세요. 시동은 { $seconds }초 동안 걸려 있어요!
heist-joined = { $who }님이 { $stake } 걸고 합류! 크루는 이제 { $crew }명이에요.
    .text-2 = { $who }님이 { $stake } 들고 승합차에 올라탔어요. 크루 { $crew }명!
    .text-3 = { $who }님이 복면을 쓰고 { $stake } 내려놓았어요. 이제 { $crew }명이에요.
    .text-4 = “자리 남았어요?” { $who }님이 { $stake } 걸고 합류, 모두 { $crew }명!
    .text-5 = { $who }님, 마침 쇠지렛대가 있었대요. { $stake } 걸고 합류해서 이제 { $crew }명!
    .text-6 = { $who }님이 아무것도 묻지 않고 { $stake } 걸었어요. 크루 { $crew }명!
heist-joined-honour = { $who }님이 판돈 없이 합류! 크루는 이제 { $crew }명이에요.
heist-you-joined = { $stake } 걸고 합류했어요!
heist-you-joined-crowd = { $crowd }{ $more ->
    [0] {""}
   *[other] {" "}외 { $more }명
}: 합류했어요!
heist-reached = 크루 { $crew }명, 이제 { $bank }도 노려볼 만해요!
    .text-2 = { $bank }도 이제 사정권! 크루는 { $crew }명이에요.
    .text-3 = 크루 { $crew }명이면 { $bank }도 만만해 보이네요!
    .text-4 = 크루 { $crew }명, 탁자 위의 지도가 바뀌어요. { $bank }!
    .text-5 = 누군가 계획서를 찢고 새로 써요. 이번엔 { $bank }! 크루는 { $crew }명이에요.
    .text-6 = 운전사가 수고비를 올려 달래요. 크루 { $crew }명이면 { $bank }까지 갈지도 모르거든요!
heist-abandoned = 은행털이 무산! { $wanted }명이 필요한데 { $crew ->
    [0] 아무도 없어요.
   *[other] 사람은 { $crew }명만 모였어요.
  } 판돈은 모두 돌려드렸어요.

# 시청자가 플랫폼에서 거는 것: 질문은 45자, 답은 25자까지
heist-forecast = 크루의 절반 이상이 문 앞에서 운이 좋을까요?
heist-forecast-yes = 네, 절반 이상 ({ $percent }%)
heist-forecast-no = 아니요, 절반 미만 ({ $percent }%)
heist-forecast-more = 절반 이상이에요
heist-forecast-fewer = 절반이 안 돼요
heist-forecast-result = 예측 결과! 크루 { $crew }명 중 문 앞에서 운이 좋았던 사람은 { $lucky }명, { $answer }. 끝까지 빠져나온 사람은 { $away ->
    [0] 없어요.
   *[other] { $away }명이에요.
  }
heist-forecast-short = 시청자는 크루가 행동을 고르는 동안 예측할 수 있는데, 그 시간이 { $least }초는 되어야 해요. 지금은 { $seconds }초예요. 예: !set heist getaway 30

heist-already-in = 이미 { $stake } 걸고 합류해 있어요.
heist-too-late = 크루가 이미 떠났어요. 이번 은행털이에는 더 합류할 수 없어요.
heist-left = { $who }님이 { $stake } 돌려받고 빠졌어요. { $crew ->
    [0] 이제 크루에 아무도 없어요.
   *[other] 크루는 이제 { $crew }명이에요.
  }
heist-you-left = 빠졌어요. { $stake } 돌려받았어요.
heist-nothing-staked = 여기에 건 판돈이 없어요. !heist와 금액으로 합류하세요.
heist-start-too-few = 여기서는 { $wanted }명이 모여야 해요. 먼저 다른 사람이 합류해야 해요.
heist-leave-too-late = 이미 크루가 출발해서 빠질 수 없어요.
heist-leave-by-backout = 이제 그냥 빠질 수는 없어요. 대신 !backout으로 판돈을 돌려받을 수 있어요.

# The getaway
heist-going = { $crew ->
    [1] 크루는 단 한 명
   *[other] 크루 { $crew }명
  }{ $rabble ->
    [0] {""}
   *[other] , 어중이떠중이 { $rabble }명
  }
heist-targeted = 목표는 { $bank }! { heist-going }, 걸린 판돈 { $staked }.
    .text-2 = 오늘 털 곳은 { $bank }! { heist-going }, 걸린 판돈 { $staked }.
    .text-3 = 지도를 짚던 손가락이 { $bank }에서 멈췄어요. { heist-going }, 걸린 판돈 { $staked }.
    .text-4 = 복면 쓰고 휴대폰 끄고 { $bank }으로! { heist-going }, 걸린 판돈 { $staked }.
    .text-5 = 운전사가 { $bank } 가는 길을 안대요. { heist-going }, 걸린 판돈 { $staked }.
    .text-6 = 이제 되돌아갈 수 없어요. 눈앞에 { $bank }! { heist-going }, 걸린 판돈 { $staked }.
heist-getaway = { $crew ->
    [1] 강도님
   *[other] 강도 여러분
  }, { $seconds }초 안에 행동을 하나 골라 귓속말로 알려 주세요. 목록은 !moves 입력! 말이 없으면 계획대로 가요.
heist-answer-alone = { $word } 뒤에는 아무것도 쓰지 마세요.
heist-one-round = 이번 은행털이는 한 라운드예요. 고를 행동이 없어요.
heist-answer-in = { $who }님이 행동을 골랐어요.
heist-you-answered = { $answer } 아직 바꿀 수 있어요.
heist-no-getaway = 지금은 행동을 고를 때가 아니에요. 털 은행이 정해지면 고를 수 있어요.
heist-not-in-crew = 이번 은행털이에는 참가하지 않았어요. 다음 판에 !heist 입력하고 합류하세요!
heist-cross-reserve = 배신하려면 벌금으로 낼 { $reserve } 지갑에 남아 있어야 해요. 다른 행동을 고르세요.
heist-for-honour = 판돈 없이 함께한 사람은 올인도 배신도 할 수 없어요.
heist-guards-enough = 이 은행의 성공률은 경비원으로 더 올릴 수 없어요. 다른 행동을 고르세요.
heist-intel-enough = 이 은행의 수익 배율은 정보로 더 올릴 수 없어요. 다른 행동을 고르세요.

heist-act-guncheck = 총 점검 끝! 계획대로 가요.
heist-act-backout = 발을 빼요. 판돈은 돌려받지만 이번 월급은 없어요.
heist-act-allin = 걸 수 있는 만큼 몽땅 걸고 혼자 들어가요.
heist-act-changejobs = 계획대로 가고, 직장은 때려치워요.
heist-act-intel = 계획대로 가요. 성공하면 딴 돈으로 이 은행의 수익 배율을 올려요.
heist-act-guard = 계획대로 가고, 경비원을 매수해 이 은행의 성공률을 올려요.
heist-act-deposit = 계획대로 가요. 성공하면 딴 돈은 이 은행 계좌에 넣어요.
heist-act-withdraw = 계획대로 가요. 성공하면 이 은행 계좌의 돈을 몽땅 찾아 나와요.
heist-act-doublecross = 동료들의 뒤통수를 치기로 했어요.
heist-act-finger = 계획대로 가면서 배신자가 없는지 지켜봐요.

# The outcome
heist-storming = { $committed ->
    [1] 강도 한 명이 홀로 { $bank }에 들이닥쳐요…
   *[other] 강도 { $committed }명이 { $bank }에 들이닥쳐요…
  }
    .text-2 = { $committed ->
        [1] { $bank } 문이 삐걱… 강도 한 명이 안으로 사라져요…
       *[other] { $bank } 문이 벌컥! 강도 { $committed }명이 안으로 사라져요…
      }
    .text-3 = { $committed ->
        [1] 복면 내리고, 심호흡 한 번! 혼자서 { $bank }에 뛰어들어요…
       *[other] 복면 내리고, 하나 둘 셋! { $committed }명이 { $bank }에 뛰어들어요…
      }
    .text-4 = “다들 엎드려!” { $bank }에 불청객이 { $committed ->
        [1] 딱 한 명
       *[other] { $committed }명
      } 나타났어요…
    .text-5 = 승합차가 { $bank } 앞에 급정거! { $committed ->
        [1] 복면 쓴 사람 하나가 혼자 뛰어내려요…
       *[other] { $committed }명이 뛰어내려요…
      }
    .text-6 = 유리가 깨지고 경보가 울려요. { $bank } 안에는 { $committed ->
        [1] 강도 혼자…
       *[other] 강도 { $committed }명…
      }
heist-storming-fewer = { $committed ->
    [0] { $heisters ->
        [1] 하나뿐인 강도가 겁을 먹고 { $bank } 앞에서 그대로 줄행랑…
       *[other] 겁먹은 강도 { $heisters }명, { $bank } 앞에서 그대로 줄행랑…
      }
   *[other] 강도 { $heisters }명 중 { $committed }명이 { $bank }에 들이닥쳐요. 나머지는 겁먹고 꽁무니를 뺐어요…
  }
heist-nobody-went = 아무도 들어가지 않았어요. { $bank }은 아무 낌새도 채지 못했어요.
heist-solo-success = { $who }님이 해냈어요! { $bank } 돈을 챙겨 유유히 걸어 나와요!
    .text-2 = { $who }님, 휘파람을 불며 { $bank } 정문으로 퇴장!
    .text-3 = { $bank } 직원 누구도 { $who }님 얼굴을 기억하지 못해요. 탈출 성공!
    .text-4 = 가방 하나, 출구 하나, 목격자 없음. { $who }님이 { $bank }에서 빠져나왔어요!
    .text-5 = { $who }님에게 동료는 필요 없었어요. 커피가 식기도 전에 { $bank }을 다녀갔네요!
    .text-6 = { $bank } 경비원이 { $who }님에게 문까지 열어 줬어요. 탈출!
heist-solo-failure = { $who }님이 { $bank } 금고에서 붙잡혔어요.
    .text-2 = { $who }님, { $bank } 로비에서 발이 걸려 넘어졌어요. 철컥!
    .text-3 = { $bank }에 경비원은 딱 한 명, { $who }님은 하필 그 앞에 섰어요.
    .text-4 = 당기라는 문을 밀고 만 { $who }님. { $bank }에서 체포!
    .text-5 = { $bank } 금고 문이 닫혔어요. { $who }님은 안쪽이에요.
    .text-6 = { $who }님이 { $bank } 카메라에 손을 흔들었어요. 검거!
heist-all-escape = 깔끔한 한탕! { $went }명 전원이 { $bank }을 털고 달아났어요!
    .text-2 = 시곗바늘처럼 딱딱 맞았어요. { $bank }에서 { $went }명 전원 탈출!
    .text-3 = { $bank } 금고가 텅 비었어요. { $went }명 모두 무사히 도망!
    .text-4 = { $went }명이 들어가서 { $went }명이 나왔어요. { $bank } 완패!
    .text-5 = 가방은 묵직, 승합차는 만원! { $bank }에서 { $went }명 모두 빠져나왔어요!
    .text-6 = 교과서 같은 한탕! { $bank }을 턴 { $went }명 모두 자유의 몸!
heist-most-escape = { $went }명 중 { $won }명이 { $bank }을 털고 달아났어요. 경보가 한발 늦었네요!
    .text-2 = { $bank }에서 { $went }명 중 { $won }명 탈출! 이만하면 성공이에요.
    .text-3 = 경찰이 길을 잘못 들었어요. { $bank }에서 { $went }명 중 { $won }명이 빠져나와요!
    .text-4 = { $bank }이 봉쇄되기 직전, { $went }명 중 { $won }명이 승합차에 올라탔어요!
    .text-5 = 연기와 고함, 그리고 뒷문. { $bank }에서 { $went }명 중 { $won }명 탈출!
    .text-6 = 희생은 있었지만 { $bank }에서 { $went }명 중 { $won }명이 달아났어요.
heist-few-escape = { $bank }은 준비가 되어 있었어요. { $went }명 중 { $won }명만 달아났어요.
    .text-2 = 사방에서 사이렌! { $bank }에서 { $went }명 중 { $won }명만 빠져나왔어요.
    .text-3 = 승합차가 거의 빈 채로 { $bank }을 떠나요. { $went }명 중 { $won }명 탈출.
    .text-4 = { $bank } 경비원들의 승리! { $went }명 중 { $won }명만 자유의 몸이에요.
    .text-5 = { $bank } 직원이 비상벨을 눌렀어요. { $went }명 중 { $won }명만 달아났어요.
    .text-6 = { $bank }에서 뛰쳐나온 { $went }명 중 { $won }명만 충분히 빨랐어요.
heist-none-escape = 함정이었어요! { $bank }에 들어간 { $went }명 중 아무도 빠져나오지 못했어요.
    .text-2 = { $bank } 문이 밖에서 잠겼어요. { $went }명 중 아무도 못 빠져나왔어요!
    .text-3 = 줄 서 있던 손님이 전부 경찰이었어요. { $bank }에서 { $went }명 중 아무도 못 빠져나왔어요!
    .text-4 = { $went }명이 들어가서 아무도 못 나왔어요. { $bank }은 내일도 정상 영업!
    .text-5 = 승합차를 부르는 걸 잊었네요. { $bank } 앞에서 { $went }명 모두 발이 묶였어요.
    .text-6 = { $bank } 금고는 비어 있고 거리는 경찰로 가득. { $went }명 중 아무도 못 빠져나왔어요!
heist-your-result = 내 결과: { $result }
heist-results = { $told ->
    [1] 결과: { $who }님 ({ $together }).
   *[other] 결과: { $results }.{ $crew ->
      [1] {""}
     *[other] {" "}모두 합쳐서 { $together }.
    }
  }
heist-result = { $who }님 { $result }
heist-result-escaped = 탈출 ({ $net })
heist-result-robbed = 탈출했지만 { $lost } 빼앗김 ({ $net })
heist-result-robbed-blind = 빈손으로 탈출 ({ $net })
heist-result-ran = 동료들 몫 { $loot } 들고 튐 ({ $net })
heist-result-cross-in-vain = 배신은 헛일, 그냥 탈출 ({ $net })
heist-result-trapped = 배신하다 들통 ({ $net })
heist-result-fingered = 배신자로 지목당함 ({ $net })
heist-result-caught = 검거 ({ $net })
heist-result-returned = 중도 하차
heist-result-intel = 탈출, 정보에 { $spent } 투자 ({ $net })
heist-result-deposit = { $spent } 예금 ({ $net })
heist-result-allin-escaped = 올인 성공, { $won } 획득 ({ $net })
heist-result-allin-caught = 올인 실패, 건 돈을 다 잃음 ({ $net })
heist-rabble = 어중이떠중이 { $went }명 중 { $won }명이 달아났어요.
heist-identified = { $who }님이 콕 집었어요! { $crosser }님은 배신자, 벌금 { $fine } 물고 해고!
    .text-2 = “저 사람이에요!” { $who }님이 배신자 { $crosser }님을 고발해요. 벌금 { $fine } 물고 해고!
    .text-3 = { $who }님은 다 봤어요. { $crosser }님은 배신자! 벌금 { $fine } 물고 해고!
heist-identified-broke = { $who }님이 콕 집었어요! { $crosser }님은 배신자, 바로 해고!
heist-stitched = { $who }님이 헛다리를 짚고 흠씬 두들겨 맞았어요. 딴 돈의 절반은 크루가 나눠 가져요.
    .text-2 = { $who }님이 엉뚱한 사람을 지목하고 얻어맞았어요. 가방의 절반은 크루 몫이에요.
    .text-3 = 고자질의 대가! { $who }님이 딴 돈의 절반을 크루가 나눠 가져요.
heist-stitched-empty = { $who }님이 헛다리를 짚고 흠씬 두들겨 맞았어요.
heist-crossed = 뒤통수! 동료들이 딴 돈 { $loot } 들고 튄 배신자: { $crossers }
    .text-2 = 모두가 한눈판 사이 동료들 몫 { $loot } 챙긴 배신자: { $crossers }
    .text-3 = 가방이 너무 가벼워요! 동료들 몫 { $loot } 들고 사라진 배신자: { $crossers }
heist-cross-undone = 들켜서 몫을 토해 낸 배신자: { $crossers }. 의리를 지킨 사람들이 { $back } 돌려받아요.
heist-cross-sprung = 배신이 들통났어요! 배신자 { $crossers }, 빈손으로 해고! 의리를 지킨 사람들이 { $extra } 더 받아요.
heist-cross-sprung-empty = 배신이 들통났어요! 배신자 { $crossers }, 빈손으로 해고!
heist-payday = 월급날: { $wages }.
heist-wage = { $who }님 +{ $salary }
heist-wage-only-bribes = { $who }님 경비원 뇌물 −{ $bribes }
heist-wage-bribes = { $who }님 +{ $salary } −{ $bribes }(경비원 뇌물)
heist-hired = { $who }님이 새 직장을 구했어요! 월급 { $salary }.
heist-hired-share = { $who }님이 새 직장을 구했어요! 보통 월급의 { $percent }%.
heist-guards-left = { $who }님의 경비원 { $guards }명이 돈을 못 받고 떠났어요.

# Odds and careers
heist-odds = 승산{ $daunting ->
    [0] {""}
   *[other] (아무도 발을 빼지 않을 때)
  }: { $banks }.
heist-odds-short = 성공률과 배당: { $banks }. 판돈의 { $least }~{ $most }%가 돌아와요.
heist-odds-short-row = { $bank } { $chance }% ×{ NUMBER($payout, maximumFractionDigits: 5) }
heist-odds-row = { $bank }({ $share ->
    [0] { $level }명
   *[other] 활동 중인 사람의 { $share }%
  }부터) 성공률 { $chance }%, 배당 ×{ NUMBER($payout, maximumFractionDigits: 5) }, 환급률 { $back }%
heist-odds-exact = { $bank }, 신입 { $crew }명이 { $stake }씩 걸고 나머지는 모두 계획대로 갈 때 내 선택의 평균 환급률{ $waged ->
    [0] {""}
   *[other] (월급 포함)
  }: { $alone }. 밀고자가 한 명 있으면: { $snitch }. 배신자가 한 명 있으면: { $crosser }.
heist-odds-exact-row = { $words } { $back }%
heist-odds-generous = 환급률이 100%를 넘는 은행은 길게 보면 가져가는 것보다 더 많이 돌려줘요.
heist-odds-house = 하우스 플레이어는 하우스가 빌려준 돈을 걸어요. 누가 그들에게서 빼앗는 돈은 하우스가 내는 셈이에요.
heist-rules-short = 은행털이: !heist 69 입력하면 판돈을 걸고 합류해요. 많이 모일수록 큰 은행! 달아나면 판돈보다 많이 받고, 붙잡히면 판돈을 잃어요. 들어가기 전에 몰래 행동을 하나 고를 수 있어요(!moves).
heist-rules = 은행털이: { $seconds }초 안에 !heist와 금액을 입력한 사람들이 은행 하나를 함께 털어요. { $credits ->
    [0] 사람이 많을수록
   *[other] 사람이 많고 판돈이 클수록
  } 큰 은행이 되고, 큰 은행은 판돈에 얹어 주는 돈이 많은 대신 털기 어려워요. 성공은 사람마다 따로 정해져요. 빠져나온 사람은 판돈과 상금을 받고, 잡힌 사람은 판돈을 잃어요. 수치는 !heist odds, 내 경력은 !heist career로 볼 수 있어요.
heist-rules-getaway = 은행이 정해지면 { $seconds }초 안에 저마다 행동을 하나 고를 수 있어요. 귓속말이 가장 좋아요. !backout은 판돈을 돌려받{ $daunting ->
    [0] 고,
   *[other] 지만 다른 사람들의 확률이 내려가고,
  } !allin은 걸 수 있는 만큼 다 걸고 혼자 들어가요. !doublecross는 다른 사람들의 몫을, !finger는 배신자를 노려요. !intel, !guard, !deposit, !withdraw, !changejobs는 다음 은행털이를 위한 행동이에요. !help doublecross처럼 물어보세요. 말이 없으면 함께 들어가요.
heist-career-plain = { $job } 아직 다른 특이 사항은 없어요.
heist-career = { $job } { $banks }.
heist-career-employed = { $who }님은 직장인이에요. 월급 { $salary }.
heist-career-unemployed = { $who }님은 지금 백수예요. 다음 직장 월급은 { $salary }보다 조금 더 많아요.
heist-career-employed-share = { $who }님은 직장인이에요. 월급은 판돈의 { $percent }%인 보통 월급의 { $share }%예요.
heist-career-unemployed-share = { $who }님은 지금 백수예요. 지난 직장은 보통 월급의 { $share }%였고, 다음 직장은 그보다 조금 더, 많아야 전부예요.
heist-career-row = { $bank }: 성공률 { $chance }%, 배당 ×{ NUMBER($payout, maximumFractionDigits: 5) }, 예금 { $account }, 경비원 { $guards }명

# The board
heist-fact-bank = 은행
heist-fact-crew = 크루
heist-fact-stakes = 판돈
heist-fact-rabble = 어중이떠중이
heist-fact-odds = 승산
heist-bank-at-least = 최소 { $bank }
heist-no-bank = 없음
heist-crew-size = { $crew }명
heist-chance-payout = { $chance }%, 배당 ×{ NUMBER($payout, maximumFractionDigits: 5) }
heist-note-lobby = !heist 띄고 금액을 써서 합류하세요.
heist-note-getaway = 행동은 하나씩, 내 선택은 아무도 못 봐요. 말이 없으면 계획대로!
heist-note-answered = { $answer } 아직 바꿀 수 있어요.
heist-note-next-time = 이번 크루는 떠났어요. 다음 판에 함께해요.
heist-note-storming = 지금 은행 안이에요…
heist-note-over = 한바탕 소동이 끝났어요.
heist-note-abandoned = 인원이 모자라 판돈을 모두 돌려드렸어요.

# The picture of the result
heist-picture-away = { $all }명 중 { $away }명 탈출
heist-picture-alone-away = 탈출 성공
heist-picture-alone-caught = 잡혔어요
heist-picture-nobody = 아무도 들어가지 않았어요
heist-picture-cross = 배신이다!
heist-picture-escaped = 탈출
heist-picture-caught = 잡힘
heist-picture-returned = 빠짐
heist-phase-lobby = 모집
heist-phase-getaway = 행동 선택
heist-phase-storming = 돌입
heist-button-join = { $stake } 걸고 합류
heist-button-leave = 빠지기
heist-button-guncheck = 총 점검
heist-button-backout = 발 빼기
heist-button-allin = 올인
heist-button-changejobs = 퇴사
heist-button-intel = 정보 구입
heist-button-guard = 경비원 매수
heist-button-deposit = 예금
heist-button-withdraw = 출금
heist-button-doublecross = 뒤통수치기
heist-button-finger = 배신자 지목

# Commands
help-heist = 은행털이를 열거나 열린 판에 합류해요. leave는 판돈을 돌려받고 빠지기, rules는 규칙, odds는 은행별 승산, career는 내 경력을 보여줘요.
help-guncheck = 계획대로 가요(말이 없어도 마찬가지).
help-backout = 판돈을 돌려받고 빠져요. 이번 월급은 없어요.
help-allin = 걸 수 있는 만큼 다 걸고 대출까지 얹어 혼자 들어가요. 실패하면 다 잃어요!
help-changejobs = 직장을 그만둬요. 은행털이가 끝날 때마다 월급이 조금 더 많은 새 직장을 구할 수도 있어요.
help-intel = 성공하면 딴 돈을 모두 써서 이 은행의 수익 배율을 영구히 올려요.
help-guard = 이 은행의 성공률을 쭉 올려요. 대신 월급날마다 1 { currency }씩 나가요.
help-deposit = 성공하면 딴 돈을 모두 이 은행 계좌에 넣어요. 거기서는 아무도 못 가져가요.
help-withdraw = 성공하면 이 은행 계좌의 돈도 함께 찾아 나와요.
help-doublecross = 다른 사람들이 딴 돈을 가로채요. 배신자가 너무 많으면 들통나요.
help-finger = 성공하면 배신자를 찾아요. 찾은 배신자마다 벌금을 내놔요.

# Settings
unit-heists = 판
unit-stakes = 배
expects-getaway = 0(없음) 또는 5~600초
expects-levels = 0이나 1부터 점점 커지는 인원수 다섯 개(예: 0/20/40/60/80) 또는 활동 중인 사람의 비율 다섯 개(예: 0%/15%/30%/45%/60%)
expects-chances = 성공률(%) 다섯 개(예: 54/48.8/42.5/38.7/32.4)
expects-odds = 판돈에 더해 받는 수익 배율 다섯 개(예: 0.8/1.1/1.3/1.65/1.95)
expects-number = 0부터 { $most }까지의 수(예: 1.5)
expects-strategies = any 또는 /로 이은 이름, 쓸 수 있는 이름: { $names }
setting-heist-lobby = 합류할 수 있는 시간(초)
setting-heist-getaway = 은행이 정해진 뒤 행동을 고르는 시간(초), 0이면 없음
setting-heist-suspense = 들이닥친 뒤 결과가 나올 때까지의 시간(초)
setting-heist-cooldown = 다음 은행털이까지 쉬는 시간(초)
setting-heist-starters = 은행털이를 열 수 있는 가장 낮은 역할
setting-heist-default_stake = 금액 없이 !heist만 입력했을 때의 판돈(최소·최대 판돈 안에서)
setting-heist-min_stake = 최소 판돈
setting-heist-max_stake = 최대 판돈, 0이면 제한 없음
setting-heist-min_crew = 최소 인원, 모자라면 판돈을 모두 돌려줌
setting-heist-rabble = 봇이 움직이는 어중이떠중이(가상 참가자)의 최대 인원
setting-heist-house_players = 누군가 연 은행털이에 함께하는 하우스 플레이어 수, 0이면 없음
setting-heist-house_stakes = 하우스 플레이어가 크레딧을 거는지. 끄면 판돈 없이 함께하므로 하우스가 빌려준 돈을 아무도 빼앗을 수 없음
setting-heist-house_strategies = 하우스 플레이어의 전략: 이름을 /로 이어 쓰면 판마다 그중에서 새로 뽑음, any는 모든 전략
setting-heist-payday = 은행털이가 끝날 때마다 이자, 채용, 월급, 뇌물 정산을 할지 여부
setting-heist-active = 마지막 채팅 뒤 활동 중으로 치는 시간(분)
setting-heist-levels = 은행마다 몇 명부터 터는지(인원수 또는 활동 중인 사람의 비율)
setting-heist-chances = 은행별 성공률(%)
setting-heist-odds = 은행별 수익 배율, 판돈은 따로 돌려받음
setting-heist-level_credits = 은행을 정할 때 한 명으로 치는 판돈; 0이면 사람 수만 세요
setting-heist-daunting = 발을 뺀 사람이 남은 사람의 성공률을 낮추는지 여부
setting-heist-all_in_gross = 올인에 성공하면 수익에 판돈까지 돌려받는지 여부
setting-heist-wage_percent = 월급과 올인 대출(판돈의 퍼센트); 0이면 대회 규칙대로 활동 중인 모두에게 월급
setting-heist-wage_most = 그런 월급이나 대출의 최댓값; 0이면 제한 없음
setting-heist-interest = 은행털이마다 계좌가 불어나는 퍼센트
setting-heist-cross_loyal = 배신이 성립하려면 배신하지 않은 사람이 몇 명 있어야 하는지; 0이면 제한 없음
setting-heist-cross_escape = 빠져나온 배신자만 가져가는지 여부
setting-heist-cross_reserve = 배신자가 벌금용으로 지갑에 남겨 둬야 하는 금액(판돈의 배수)
setting-heist-cross_percent = 배신자들이 함께 가져가는 몫(다른 사람이 딴 돈의 퍼센트); 0이면 전부
setting-heist-cross_stakes = 배신자 한 명이 가져가는 최댓값(판돈의 배수); 0이면 제한 없음
setting-heist-finger_stakes = 지목당한 배신자의 벌금(판돈의 배수); 0이면 지갑의 4분의 1
setting-heist-snitch_stakes = 밀고자가 가져가는 최댓값(판돈의 배수); 0이면 제한 없음
setting-heist-taken_most = 한 은행털이에서 남이 땄거나 가졌던 돈을 한 명이 가져가는 최댓값. 0: 제한 없음
setting-heist-split_stakes = 의리를 지킨 사람들에게 나누는 돈에서 한 명이 받는 최댓값(판돈의 배수, 판돈에 비례); 0이면 똑같이 나누고 제한 없음
setting-heist-penalty_most = 벌칙이 수익 배율과 성공률(0.05는 5%p)을 은행 값보다 낮추는 한도; 0이면 제한 없음
setting-heist-odds_most = 정보가 수익 배율을 은행 값보다 높이는 한도; 0이면 제한 없음
setting-heist-chance_most = 경비원이 성공률을 은행 값보다 높이는 한도(%p); 0이면 제한 없음
setting-heist-return_most = 내 성공률 × 배당의 한도(%); 0이면 제한 없음
setting-heist-regular_bonus = 단골이 탈출하면 판돈의 몇 %를 더 받는지. 판돈의 100%보다 많이 돌아올 수 있으면 거절돼요
setting-heist-subscriber_bonus = 구독자가 탈출하면 판돈의 몇 %를 더 받는지. 여러 보너스 가운데 가장 높은 것만 쳐요
setting-heist-vip_bonus = VIP가 탈출하면 판돈의 몇 %를 더 받는지. 여러 보너스 가운데 가장 높은 것만 쳐요
setting-heist-season_heists = 한 시즌의 은행털이 판 수, 0이면 제한 없음
setting-heist-season_days = 한 시즌의 일수, 0이면 제한 없음
setting-heist-season_resets = 새 시즌에 초기화할 것: nothing(없음), careers(경력), everything(전부)
setting-heist-theme = 은행털이 이야기의 테마(바로 바뀜), bank는 기본 테마
setting-heist-prediction = 은행털이마다 시청자가 채널 포인트를 걸 수 있게 트위치 예측을 열지 여부
option-heist-stake = 69, 1k, 25%, half, all 같은 크레딧, 또는 leave, start, rules, odds, career

heist-odds-answers = 올인(!allin)은 가진 { currency } 전부에 대출 { $loan }까지 더해 걸고 수익만 받으며, 그 판의 월급은 없어요. 경비원과 정보로 내 확률과 수익을 차차 높일 수 있고, 배신자와 밀고자는 다른 사람이 딴 것을 가져가요.
heist-odds-lent = 올인(!allin)은 월급 대신 그만큼을 대출받아 걸어요. 경비원과 정보로 내 확률과 수익을 차차 높일 수 있고, 배신자와 밀고자는 다른 사람이 딴 것을 가져가요.
heist-odds-bounded = 누가 가져가는 돈은 다른 누가 딴 돈이에요. 배신자들은 남이 딴 돈의 { $percent }%까지, 한 명이 자기 판돈의 { $stakes }배까지 가져가요. 배신하지 않는 사람이 { $loyal }명은 있어야 하고, 지목당하면 자기 판돈의 { $fine }배를 벌금으로 내요.
heist-odds-wage = 끝까지 함께하면 월급으로 판돈의 { $percent }%{ $most ->
    [0] {""}
   *[other] (많아야 { $most })
  }를 받고, !allin은 그만큼을 대출로 받아요.
heist-odds-careers = 경비원과 정보를 한껏 써도 돌아오는 것은 많아야 { $back }%예요.
heist-odds-bonus = 탈출하면 판돈의 일부를 더 받아요: { $rows }. 이걸 더해도 돌아오는 것은 많아야 { $back }%예요.
heist-odds-bonus-row = { $role } { $percent }%
heist-bonus-high = 이 보너스라면 판돈의 { $back }%까지 돌아올 수 있는데, 100%를 넘을 수 없어요. 보너스를 낮추거나 은행의 배당을 먼저 낮춰 주세요.
heist-bonus-unbounded = 보너스를 주려면 경비원과 정보의 효과에 한도가 있어야 해요. return_most를 먼저 정하거나 stream 또는 deepbot 프리셋을 골라 주세요.
heist-odds-gift = 월급이 없으니 !allin의 대출은 공짜예요. 다른 { currency } 없이 { $stake } 걸면 { $back }%가 돌아와요.
why-payday = 월급
why-all-in = 올인
why-all-in-won = 올인 성공
why-bribes = 경비원 비용
why-finger = 밀고
why-stitches = 밀고의 대가
why-double-cross = 배신
why-double-cross-undone = 배신 무산
why-double-cross-sprung = 배신 발각
preset-heist-stream = 오래 즐기는 방송용: 판돈 20~5,000, 크루 인원만으로 은행 결정, 판돈에 따른 월급, 남에게서 가져가는 양에 한도
preset-heist-contest = 프로그래밍 대회 규칙: 판돈 자유, 어중이떠중이 최대 220명, 월급 240, 한도 없음
preset-heist-deepbot = 행동도 월급도 없는 한 라운드: 합류 120초, 휴식 600초, 은행은 1/10/20/30/40명부터
preset-heist-small = 어중이떠중이 없는 대회 규칙, 은행은 1/2/4/7/10명부터
about-heist = 은행털이: 함께 은행을 털어요. 많이 모일수록 큰 은행! 달아나면 판돈보다 많이 받고, 붙잡히면 판돈을 잃어요.
example-heist = !heist 69

# 디스코드 목록에 나오는 슬래시 명령과 그 칸의 이름이에요. 띄어쓰기 없이 써요.
slash-name-heist = 은행털이
slash-name-guncheck = 계획대로
slash-name-backout = 빠지기
slash-name-allin = 올인
slash-name-changejobs = 이직
slash-name-intel = 정보수집
slash-name-guard = 경비배치
slash-name-deposit = 입금
slash-name-withdraw = 출금
slash-name-doublecross = 배신
slash-name-finger = 배신자찾기
